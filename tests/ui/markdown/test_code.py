"""Code is coloured in every language, also across lines, and the same whether it was streamed or not."""

import pytest
from rich.style import Style

from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render

LOOK = MarkdownLook()


def style_of(source: str, text: str) -> Style | None:
    for row in render(source, 60, LOOK):
        for segment in row:
            if text in segment.text:
                return segment.style
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("language", "code", "text", "style"),
    [
        ("python", "def name(): pass", "def", LOOK.code.keyword),
        ("python", "def name(): pass", "name", LOOK.code.function),
        ("py", "x = 'text'", "text", LOOK.code.string),
        ("Python", "x = 1  # why", "# why", LOOK.code.comment),
        ("{.python}", "@cached\ndef f(): ...", "@cached", LOOK.code.decorator),
        ("js", "/* one\ntwo */", "two", LOOK.code.comment),
        ("ts", "const x = 42;", "42", LOOK.code.number),
        ("rust", "fn main() {}", "fn", LOOK.code.keyword),
        ("json", '{"a": 12}', "12", LOOK.code.number),
        ("diff", "+added\n-gone", "+added", LOOK.code.inserted),
        ("yaml", "a: 1 # why", "# why", LOOK.code.comment),
        ("sh", "# why", "# why", LOOK.code.comment),
        ("no-such-language", "x = 1", "x = 1", Style()),
    ],
)
def test_code_is_coloured_by_what_it_is(language: str, code: str, text: str, style: Style) -> None:
    assert style_of(f"```{language}\n{code}\n```", text) == LOOK.code_block + style


def test_a_string_over_many_lines_is_one_string_even_across_pieces() -> None:
    body = "\n".join(f"line {at} of the text" for at in range(400))
    source = f'```python\nx = """\n{body}\n"""\ny = 1\n```'
    assert style_of(source, "line 399") == LOOK.code_block + LOOK.code.string
    assert style_of(source, "1") is not None
    assert render(source, 60, LOOK)[-1][-2].style == LOOK.code_block + LOOK.code.number


def test_a_growing_fence_shows_all_its_text_and_colours_it_line_by_line() -> None:
    live = LiveMarkdown(LOOK)
    live.append("```python\ndef f():\n    retu")
    rows = live.lines(40).rows
    assert ["".join(segment.text for segment in row).rstrip() for row in rows] == [" python", " def f():", "     retu"]
    assert rows[1][1].style == LOOK.code_block + LOOK.code.keyword


def test_a_look_of_ones_own_reaches_every_token() -> None:
    red = MarkdownLook(code_block=Style(color="red"))
    rows = render("```python\nplain\n```", 20, red)
    assert rows[1][0].style == Style(color="red")
