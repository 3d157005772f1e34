"""What is told of the beginning of a line holds for the whole of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.ui.markdown.starts import Before, block_start

BODY = st.lists(
    st.sampled_from(
        [
            "#",
            "`",
            "~",
            "<",
            "div",
            ">",
            "!--",
            "-",
            "=",
            "*",
            "_",
            "+",
            "1",
            ".",
            ")",
            "|",
            ":",
            " ",
            "a",
            "/",
            "[",
            "x",
            "]",
        ]
    ),
    min_size=1,
    max_size=8,
).map("".join)
BEFORE = st.sampled_from(
    [
        Before(),
        Before(True),
        Before(True, True),
        Before(True, True, "a | b"),
        Before(True, True, "a"),
        Before(is_item_start=True),
    ]
)


@settings(max_examples=250, deadline=None)
@given(BODY.filter(lambda body: not body.startswith((" ", ">"))), BEFORE)
def test_a_start_once_told_never_changes(body: str, before: Before) -> None:
    whole = block_start(body, True, before)
    assert whole is not None
    told = [start for end in range(1, len(body) + 1) if (start := block_start(body[:end], False, before))]
    assert all(type(start) is type(whole) for start in told)
