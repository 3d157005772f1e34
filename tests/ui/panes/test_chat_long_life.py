"""A chat that goes on for long holds what is in sight and little more: the session's file has the words."""

import gc
from collections.abc import Iterable

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ThinkingBlock
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.markdown import LiveMarkdown
from diligent_tui.ui.panes.chat import chat_look
from diligent_tui.ui.panes.chat.renderer import MOST_FINISHED, ChatRenderer
from diligent_tui.ui.theme import DARK
from diligent_tui.ui.transcript import ChatBlock

LOOK = chat_look("dark", {**DARK.to_color_system().generate(), **DARK.variables})
MODEL = "offline/rehearsal"
DONE = ev.TurnFinished("p", "done", 1, Usage(), 0.0)
ANSWERS = 30
OUTPUT = "x" * 50_000


def words_of_answer(number: int) -> str:
    """What was answered."""
    return f"## Answer {number}\n\n- one\n- **two**"


def answer(message_id: str, text: str) -> tuple[ev.Event, ...]:
    """An answer that streams, calls nothing and is saved."""
    return (
        ev.StepStarted("p", message_id, 1, MODEL),
        *(ev.TextDelta(message_id, piece) for piece in (text[:5], text[5:])),
        ev.MessageSaved(message_id, "assistant", text),
        DONE,
    )


def hear(renderer: ChatRenderer, live: LiveTranscript, events: Iterable[ev.Event]) -> dict[str, ChatBlock]:
    """The blocks as they are in the end."""
    blocks: dict[str, ChatBlock] = {}
    for event in events:
        for block in live.take(event):
            renderer.feed(block)
            blocks[block.id] = block
    return blocks


def alive() -> int:
    """How many half-drawn texts there are."""
    gc.collect()
    return sum(type(found) is LiveMarkdown for found in gc.get_objects())


def drawn(renderer: ChatRenderer, block: ChatBlock) -> list[str]:
    """The rows of a block."""
    return [strip.text.rstrip() for strip in renderer.render(block, 60, folded=False)]


def test_answers_that_streamed_are_drawn_from_the_file_after_a_while() -> None:
    entries: dict[str, Entry] = {}
    for number in range(ANSWERS):
        said = AssistantMessage(content=(TextBlock(text=words_of_answer(number)),))
        entries[f"m{number}"] = MessageEntry(id=f"m{number}", message=said)
    renderer, live = ChatRenderer(LOOK, entries.__getitem__), LiveTranscript()
    before = alive()
    blocks: dict[str, ChatBlock] = {}
    as_streamed: list[list[str]] = []
    for number in range(ANSWERS):
        blocks |= hear(renderer, live, answer(f"m{number}", words_of_answer(number)))
        as_streamed.append(drawn(renderer, blocks[f"m{number}-1"]))
    assert alive() - before == MOST_FINISHED
    shown = [blocks[f"m{number}-1"] for number in range(ANSWERS)]
    assert [renderer.source(block) for block in shown] == [words_of_answer(number) for number in range(ANSWERS)]
    assert [drawn(renderer, block) for block in shown] == as_streamed
    entries.clear()
    with pytest.raises(KeyError):
        renderer.source(shown[0])


def test_an_answer_in_several_parts_keeps_the_words_of_each() -> None:
    parts = (TextBlock(text="First."), ThinkingBlock(thinking="Hm."), TextBlock(text="Second."))
    entry = MessageEntry(id="m", message=AssistantMessage(content=parts))
    renderer, live = ChatRenderer(LOOK, {"m": entry}.__getitem__), LiveTranscript()
    events: tuple[ev.Event, ...] = (
        ev.StepStarted("p", "m", 1, MODEL),
        ev.TextDelta("m", "First."),
        ev.ThinkingDelta("m", "Hm."),
        ev.TextDelta("m", "Second."),
        DONE,
    )
    blocks = hear(renderer, live, events)
    for number in range(MOST_FINISHED):
        hear(renderer, live, answer(f"later{number}", "Later."))
    assert [renderer.source(blocks[f"m-{part}"]) for part in (1, 2, 3)] == ["First.", "Hm.", "Second."]


def test_an_answer_that_was_never_saved_keeps_its_words() -> None:
    renderer, live = ChatRenderer(LOOK, dict[str, Entry]().__getitem__), LiveTranscript()
    blocks = hear(renderer, live, answer("m", "It broke off"))
    for number in range(MOST_FINISHED):
        hear(renderer, live, answer(f"later{number}", "Later."))
    assert renderer.source(blocks["m-1"]) == "It broke off"


def test_a_call_lets_go_of_its_words_once_they_are_saved() -> None:
    live = LiveTranscript()
    live.take(ev.ToolCallReady("c", "bash", {"command": "make"}))
    (ended,) = live.take(ev.ToolFinished("c", "bash", OUTPUT, False, 0.5, "+one", 0))
    assert (len(ended.text), ended.diff) == (len(OUTPUT), "+one")
    (saved,) = live.take(ev.MessageSaved("r", "tool_result", OUTPUT))
    assert (saved.entry_id, saved.text, saved.diff) == ("r", "", "")
    assert (saved.size_bytes, saved.line_count, saved.state) == (ended.size_bytes, ended.line_count, "done")


def test_calls_that_run_side_by_side_each_find_their_own_result() -> None:
    live = LiveTranscript()
    for call_id in ("a", "b"):
        live.take(ev.ToolCallReady(call_id, "read", {"path": call_id}))
    for call_id in ("b", "a"):
        live.take(ev.ToolFinished(call_id, "read", f"of {call_id}", False, 0.5))
    saved = [
        *live.take(ev.MessageSaved("rb", "tool_result", "of b")),
        *live.take(ev.MessageSaved("ra", "tool_result", "of a")),
    ]
    assert [(block.id, block.entry_id) for block in saved] == [("b", "rb"), ("a", "ra")]
