"""Whoever reads further up is left alone: nothing that happens below, above or around moves the row one reads."""

from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.events import TextDelta
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.chat import ChatPane
from tests.ui.stage import ask, begin, make_app, ready, settled

SIZE = (100, 30)
OTHER_SIZES = ((70, 24), (160, 50), (40, 12))
READ_ROW = 3
CHUNKS = 1_000
MOST_LOOKS = 2_000


class Reader:
    """Somebody who reads a row of the chat, not at its end."""

    def __init__(self, chat: ChatPane) -> None:
        self._chat = chat
        self._at = self._place
        self._words = self._row
        assert self._words.strip()

    def still_reads_the_same(self) -> bool:
        """The same line of the same block in the same row, with the same words; its mark may have changed."""
        return self._place == self._at and self._row == self._words

    @property
    def top_block(self) -> str:
        """The block whose line stands in the first row."""
        shown = self._chat.row_at(0)
        return shown.block_id if shown else ""

    @property
    def _row(self) -> str:
        return self._chat.render_line(READ_ROW).text[self._chat.renderer.gutter_columns :].rstrip()

    @property
    def _place(self) -> tuple[str, int]:
        shown = self._chat.row_at(READ_ROW)
        assert shown is not None
        return shown.block_id, shown.line


async def say(pilot: Pilot[int], words: str) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.focus()
    await pilot.pause()
    app.main.prompt.set_text(words)
    await pilot.press("enter")


async def compacted(pilot: Pilot[int], session: AgentSession) -> None:
    for _ in range(MOST_LOOKS):
        if session.store.tree.counts["compaction"] and not session.is_running:
            await settled(pilot)
            return
        await pilot.pause(0.01)
    raise AssertionError("it was never compacted")


async def test_the_row_one_reads_stays_through_a_thousand_chunks_a_prune_a_compaction_and_resizes(
    tmp_path: Path,
) -> None:
    app = make_app(tmp_path, flags={"mode": "full", "knowledge.enabled": False})
    names = ("swans", "geese", "ducks", "herons", "cranes", "storks", "gulls")
    for name in names:
        lines = (f"{name} {number} fly over src/{name}_{number}.py at {number * 7} feet" for number in range(260))
        (app.opening.cwd / f"{name}.txt").write_text("\n".join(lines))
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        session = core.session
        assert session is not None
        await ask(pilot, "[[t=900 r=0 id=a]]")
        core.chat.scroll_to(y=21, animate=False)
        await settled(pilot)
        reader = Reader(core.chat)
        top = reader.top_block

        heard: list[int] = []
        session.hub.subscribe(lambda event: heard.append(1) if isinstance(event, TextDelta) else None)
        await begin(pilot, "[[t=1400 r=0 id=b]]")
        while session.is_running:
            await pilot.pause()
            assert reader.still_reads_the_same()
        await settled(pilot)
        assert len(heard) >= CHUNKS
        assert reader.still_reads_the_same()
        assert app.main.query_one("#badge").display

        assert session.store.tree.counts["prune"] == 0
        await ask(pilot, "read swans.txt then read geese.txt then read ducks.txt")
        await ask(pilot, "read herons.txt then read cranes.txt then read storks.txt then read gulls.txt")
        assert session.store.tree.counts["prune"] > 0
        assert reader.still_reads_the_same()

        await say(pilot, "/compact the birds")
        await compacted(pilot, session)
        assert "summarised" in session.memory.fates().values()
        assert reader.still_reads_the_same()

        for size in OTHER_SIZES:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert reader.top_block == top
            assert not core.chat.model.is_following
        await pilot.resize_terminal(*SIZE)
        await settled(pilot)
        assert reader.still_reads_the_same()
        assert app.main.query_one("#badge").display
        await pilot.press("ctrl+end")
        await pilot.pause()
        assert core.chat.model.is_following
        assert not app.main.query_one("#badge").display
