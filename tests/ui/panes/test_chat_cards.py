"""Tool cards in the chat: one line with the effect, opened in place, the same whether heard or read back."""

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.panes.chat import chat_look
from diligent_tui.ui.panes.chat.renderer import MOST_OPEN_LINES, ChatRenderer
from diligent_tui.ui.theme import DARK
from diligent_tui.ui.transcript import ChatBlock, Transcript
from tests.ui.panes.tools_stage import COLOURED, DIFF

VARIABLES = {**DARK.to_color_system().generate(), **DARK.variables}


def heard(name: str, output: str, diff: str, exit_code: int | None, *, is_error: bool) -> ChatBlock:
    """The card of a call that was heard."""
    live = LiveTranscript()
    blocks = [
        block
        for event in (
            ev.ToolCallReady("c", name, {"path": "src/loader.py"}),
            ev.ToolStarted("c", name, {"path": "src/loader.py"}),
            ev.ToolFinished("c", name, output, is_error, 0.5, diff, exit_code),
        )
        for block in live.take(event)
    ]
    return blocks[-1]


def saved(name: str, output: str, diff: str, exit_code: int | None, *, is_error: bool) -> tuple[ChatBlock, Entry]:
    """The card of the same call read back, and its entry."""
    call = ToolCallBlock(id="c", name=name, input={"path": "src/loader.py"})
    result = MessageEntry(
        id="r",
        message=ToolResultMessage(
            tool_call_id="c",
            tool_name=name,
            output=output,
            is_error=is_error,
            diff=diff or None,
            exit_code=exit_code,
            duration_seconds=0.5,
        ),
    )
    answer = MessageEntry(id="m", message=AssistantMessage(content=(call,)))
    return Transcript(begins_inside=False).saved([answer, result])[-1], result


def rows(block: ChatBlock, entry: Entry | None = None, *, folded: bool) -> list[str]:
    entries = {entry.id: entry} if entry else dict[str, Entry]()
    renderer = ChatRenderer(chat_look("dark", VARIABLES), entries.__getitem__)
    return [strip.text.rstrip() for strip in renderer.render(block, 80, folded)]


@pytest.mark.parametrize(
    ("name", "output", "diff", "exit_code", "is_error", "effect"),
    [
        ("edit", "Edited src/loader.py.", DIFF, None, False, "+4 −4"),
        ("bash", COLOURED, "", 2, True, "exit 2, 1 failed"),
        ("bash", "a\nb\n", "", 0, False, "2 lines"),
        ("read", "", "", None, False, "no output"),
    ],
)
def test_a_card_tells_state_tool_subject_effect_and_time_heard_or_read_back(
    name: str, output: str, diff: str, exit_code: int | None, is_error: bool, effect: str
) -> None:
    live = heard(name, output, diff, exit_code, is_error=is_error)
    block, entry = saved(name, output, diff, exit_code, is_error=is_error)
    for folded in (True, False):
        assert rows(live, folded=folded) == rows(block, entry, folded=folded)
    gap, card = rows(live, folded=True)
    assert not gap
    assert card.split() == ["✗" if is_error else "✓", name, "src/loader.py", *effect.split(), "0.5", "s"]
    assert (live.size_bytes, live.line_count) == (block.size_bytes, block.line_count)


def test_an_opened_card_of_an_edit_shows_the_diff() -> None:
    opened = rows(heard("edit", "Edited.", DIFF, None, is_error=False), folded=False)
    assert any("− " in row and "for layer in layers:" in row for row in opened)
    assert not any("Edited." in row for row in opened)


def test_a_very_long_diff_is_cut_in_the_chat_and_says_where_the_rest_is() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -0,0 +1,5000 @@\n" + "".join(f"+{n}\n" for n in range(5_000))
    opened = rows(heard("write", "Written.", diff, None, is_error=False), folded=False)
    assert len(opened) == MOST_OPEN_LINES + 3
    assert opened[-1].strip() == f"… {5_001 - MOST_OPEN_LINES:,} more lines: F3 shows all"
