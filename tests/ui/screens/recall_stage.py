"""The recall screen over a bare app and a session of a few entries, searched for real."""

from collections.abc import Sequence
from datetime import UTC, datetime

from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import (
    AssistantMessage,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.session.recall import Hit, RecallIndex
from diligent_tui.session.tree import node_of
from diligent_tui.ui.screens.recall import RecallChoice, RecallScreen
from diligent_tui.ui.screens.recall.hit_list import HitList
from diligent_tui.ui.screens.recall.original_pane import OriginalPane

LOADER = "\n".join(
    [
        '"""Reads settings in layers."""',
        "",
        "from pathlib import Path",
        "",
        *(f"LIMIT_{number} = {number}" for number in range(1, 30)),
        "",
        "def load_config(path: Path) -> Layer:",
        "    text = path.read_text()",
        "    return merge(Layer(text), positions_in(text))",
        "",
        "def merge(layer: Layer, positions: Positions) -> Layer:",
        "    # Opens the file again only to find the positions, which is why it is read twice.",
        "    return layer.with_positions(positions)",
        "",
        *(f"# note {number}: nothing to see here" for number in range(1, 40)),
    ]
)


def entry(number: int, message: Message, stamp: str) -> MessageEntry:
    parent = f"{number - 1:08x}" if number else None
    return MessageEntry(id=f"{number:08x}", parent_id=parent, timestamp=stamp, message=message)


def a_session() -> list[Entry]:
    call = ToolCallBlock(id="c1", name="read", input={"path": "src/config/loader.py"})
    shell = ToolCallBlock(id="c2", name="bash", input={"command": "make test"})
    failed = "FAILED tests/test_loader.py::test_positions - PositionError: no position for key 'theme.dark'\n1 failed"
    return [
        entry(0, UserMessage(content="why does the loader read the file twice?"), "2026-01-02T09:00:00.000Z"),
        entry(1, AssistantMessage(content=(TextBlock(text="I will look."), call)), "2026-01-02T09:00:10.000Z"),
        entry(2, ToolResultMessage(tool_call_id="c1", tool_name="read", output=LOADER), "2026-01-02T09:00:11.000Z"),
        entry(
            3,
            AssistantMessage(content=(TextBlock(text="Because `merge()` opens it again for the positions."), shell)),
            "2026-01-02T10:30:00.000Z",
        ),
        entry(
            4,
            ToolResultMessage(tool_call_id="c2", tool_name="bash", output=failed, is_error=True),
            "2026-01-02T10:30:09.000Z",
        ),
        entry(
            5, UserMessage(content="keep the positions in Layer, and 你好 stays as it is"), "2026-01-02T11:45:00.000Z"
        ),
        entry(
            6,
            AssistantMessage(content=(TextBlock(text="Done.\n\x1b[31mred\x1b[0m [bold]no markup[/bold] positions"),)),
            "2026-01-02T11:59:30.000Z",
        ),
    ]


def clock() -> datetime:
    return datetime(2026, 1, 2, 12, tzinfo=UTC)


class Searched:
    """A session that counts what it was asked for."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = {entry.id: entry for entry in entries}
        self.asked: list[str] = []
        self._index = RecallIndex(None, "s", {entry.id: node_of(entry) for entry in entries}, self.entries.__getitem__)

    async def search(self, words: str, tell: Tell = tell_nobody) -> tuple[Hit, ...]:
        self.asked.append(words)
        return await self._index.search(words, 6_000, most_hits=40, is_typing=True, tell=tell)


async def open_recall(
    pilot: Pilot[int], words: str = "", searched: Searched | None = None
) -> tuple[RecallScreen, list[RecallChoice | None], Searched]:
    """The screen, at rest, and the list that its answer will be put into."""
    searched = searched or Searched(a_session())
    answers: list[RecallChoice | None] = []
    screen = RecallScreen(searched.search, searched.entries.__getitem__, words, clock=clock)
    await pilot.app.push_screen(screen, answers.append)
    await at_rest(pilot, screen)
    return screen, answers, searched


async def at_rest(pilot: Pilot[int], screen: RecallScreen) -> None:
    """Wait until all is found, read and painted."""
    await pilot.pause()
    while any(worker.node is screen and not worker.is_finished for worker in pilot.app.workers):
        await pilot.pause(0.005)
    await pilot.pause()
    await pilot.pause()


def shown(screen: RecallScreen) -> str:
    """All the words on the screen, from top to bottom, the text after the list."""
    edges = {
        place: str(screen.query_one(f"#recall-{place}", Static).render())
        for place in ("top", "words", "teaching", "notice", "keys")
    }
    hits = screen.query_one(HitList).render().plain
    original = screen.query_one(OriginalPane).render().plain
    parts = (edges["top"], edges["words"], hits, edges["teaching"], original, edges["notice"], edges["keys"])
    return "\n".join(parts)
