"""Memory in the app, from the command to the screen: compact, preview, undo, edit, rescue, pin, and what failed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual._compositor import Compositor, CompositorUpdate, ReflowResult
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.ui import memory_desk
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.summary import SummaryPane
from diligent_tui.ui.screens.choice import ChoiceScreen
from diligent_tui.ui.screens.preview import PreviewScreen
from diligent_tui.ui.screens.recall import RecallScreen
from diligent_tui.ui.screens.recall.hit_list import HitList
from diligent_tui.ui.screens.rewrite import RewriteScreen
from diligent_tui.ui.state import Writing
from diligent_tui.ui.widgets.banner import Banner
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from tests.ui.stage import ask, begin, make_app, ready, settled

LINES = 450
AGAIN = "the next prompt will probably compact it again"
FAILURE = Problem("unavailable", "The provider cannot be reached.", "Try again later.")
Story = Callable[[Pilot[int], "Talk"], Awaitable[None]]


class Talk:
    """The app with enough said in it to be compacted."""

    def __init__(self, app: DiligentApp, core: Core, pilot: Pilot[int]) -> None:
        self.app, self.core, self._pilot = app, core, pilot

    @property
    def pane(self) -> SummaryPane:
        return self.app.main.query_one(SummaryPane)

    @property
    def states(self) -> list[str]:
        """The state of every version."""
        assert self.core.session is not None
        return [version.state for version in self.core.session.memory.versions()]

    async def say(self, text: str) -> None:
        """Type a slash command and wait until it is done, or asks something."""
        self.app.main.prompt.focus()
        self.app.main.prompt.set_text(text)
        await self._pilot.press("enter")
        await self.done()

    async def ask(self, text: str) -> None:
        """Send a prompt and wait for its answer."""
        self.app.main.prompt.focus()
        await ask(self._pilot, text)

    async def press(self, *keys: str) -> None:
        """Press keys and wait likewise."""
        for key in keys:
            await self._pilot.press(key)
            await self.done()

    async def done(self) -> None:
        """Wait until memory rests or a dialog waits for an answer, and all is told."""
        await self._pilot.pause()
        while any(worker.group == "memory" for worker in self.app.workers) and self._rests_not():
            await self._pilot.pause(0.005)
        await settled(self._pilot)
        if self.pane.counting is not None and not self.pane.counting.is_finished:
            await self.pane.counting.wait()
            await settled(self._pilot)

    def _rests_not(self) -> bool:
        screen: Screen[object] = self.app.screen
        is_asking = isinstance(screen, ChoiceScreen | PreviewScreen)
        return not (is_asking or (isinstance(screen, RewriteScreen) and screen.is_choosing))


def write_long(folder: Path) -> None:
    """A file that is worth compacting once it was read."""
    lines = (f"{n}: src/part_{n}.py has the value {7 * n}\n" for n in range(LINES))
    (folder / "project" / "long.txt").write_text("".join(lines))


@pytest.fixture
def tell(tmp_path: Path) -> Callable[[Story], Awaitable[None]]:
    async def tell(story: Story) -> None:
        app = make_app(tmp_path, flags={"compaction.pruning": False})
        write_long(tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            core = await ready(pilot)
            for words in ("read long.txt", "never touch legacy/; read long.txt", "read long.txt"):
                await ask(pilot, words)
            await story(pilot, Talk(app, core, pilot))

    return tell


async def test_from_compacting_to_rescue_edit_undo_and_redo(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        await talk.press("f5")
        await talk.say("/compact the values")
        assert talk.states == ["active"]
        assert talk.pane.versions[0].entry.focus == "the values"
        await talk.press("f5", "c")
        assert talk.pane.item is not None
        rescued = talk.pane.item.text
        assert talk.pane.item.place in ("dropped", "ledger")
        await talk.press("a")
        assert talk.states == ["superseded", "active"]
        assert rescued in talk.pane.versions[-1].entry.summary
        await talk.press("t", "e", *"Mine: ", "ctrl+s")
        assert talk.states[-2:] == ["superseded", "active"]
        assert talk.pane.versions[-1].entry.summary.startswith("Mine: ")
        await talk.ask("hello")
        await talk.say("/undo-compaction")
        assert "active" not in talk.states
        assert set(talk.states) == {"undone"}
        await talk.say("/redo-compaction")
        assert talk.states[-1] == "active"

    await tell(story)


async def test_an_undo_that_leaves_no_room_says_that_the_next_prompt_compacts_again(
    tell: Callable[[Story], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def notify(_: DiligentApp, message: str, **_more: object) -> None:
        said.append(message)

    monkeypatch.setattr(DiligentApp, "notify", notify)

    async def story(pilot: Pilot[int], talk: Talk) -> None:
        session = talk.core.session
        assert session is not None
        assert not session.memory.is_due
        await talk.say("/compact")
        await talk.say("/undo-compaction")
        assert said[-1].startswith("Undone")
        assert AGAIN not in said[-1]
        while not session.memory.is_due:
            await talk.ask("read long.txt")
        await talk.say("/compact")
        await talk.say("/undo-compaction")
        assert set(talk.states) == {"undone"}
        assert AGAIN in said[-1]

    await tell(story)


async def test_a_preview_pins_and_compacts_and_escape_changes_nothing(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        assert talk.core.session is not None
        await talk.say("/compact --preview the values")
        screen = talk.app.screen
        assert isinstance(screen, PreviewScreen)
        entries = len(talk.core.session.store.tree.nodes)
        await talk.press("g", "p", "escape")
        assert len(talk.core.session.store.tree.nodes) == entries
        await talk.say("/compact --preview the values")
        await talk.press("g", "p", "enter")
        assert talk.states == ["active"]
        assert len(talk.core.session.memory.pinned) == 1

    await tell(story)


async def test_an_undo_that_does_not_fit_offers_a_tighter_cut(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        for words in ("read long.txt", "hello", "read long.txt", "hello", "read long.txt"):
            await talk.ask(words)
        while not isinstance(talk.app.screen, ChoiceScreen):
            assert "active" in talk.states
            await talk.say("/undo-compaction")
        await talk.press("t")
        assert isinstance(talk.app.screen, PreviewScreen)
        await talk.press("escape")
        assert talk.states[-1] == "active"

    await tell(story)


async def test_a_second_summary_is_written_and_chosen(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        await talk.say("/compact")
        await talk.press("f5", "w")
        assert isinstance(talk.app.screen, ChoiceScreen)
        await talk.press("3")
        assert isinstance(talk.app.screen, ChoiceScreen)
        await talk.press("enter")
        assert isinstance(talk.app.screen, RewriteScreen)
        await talk.press("enter")
        assert talk.states == ["active"]
        await talk.press("w", "3", "enter", "t")
        assert talk.states == ["superseded", "active"]
        assert talk.pane.versions[-1].entry.strategy == "truncate"

    await tell(story)


async def test_pin_toggles_the_newest_answer(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        assert talk.core.session is not None
        await talk.say("/pin")
        (pinned,) = talk.core.session.memory.pinned
        assert talk.core.session.store.tree.nodes[pinned].role == "assistant"
        await talk.say("/pin")
        assert not talk.core.session.memory.pinned

    await tell(story)


async def test_what_cannot_be_done_is_said(
    tell: Callable[[Story], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences: list[str] = []

    def hear(_: DiligentApp, message: str, **more: object) -> None:
        sentences.append(message)

    monkeypatch.setattr(DiligentApp, "notify", hear)

    async def story(pilot: Pilot[int], talk: Talk) -> None:
        for words, told in (
            ("/compact --fast", "There is no --fast"),
            ("/compact --strategy sumarize", "summarize"),
            ("/undo-compaction", "no compaction to undo"),
            ("/redo-compaction", "nothing to redo"),
            ("/pin nowhere", "Put the cursor on"),
        ):
            await talk.say(words)
            assert told in sentences[-1]
        assert talk.states == []

    await tell(story)


async def test_a_failure_is_told_above_the_prompt_and_typing_goes_on(tell: Callable[[Story], Awaitable[None]]) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        session = talk.core.session
        assert session is not None
        talk.app.main.prompt.focus()
        session.hub.publish(ev.CompactionFailed("c1", FAILURE, True, True))
        await settled(pilot)
        await talk.press(*"rsn")
        assert talk.app.main.prompt.text == "rsn"
        assert len(talk.app.main.query(Banner)) == 1
        await talk.press("f10", "escape")
        assert not talk.app.main.query(Banner)
        assert talk.app.main.prompt.has_focus
        session.hub.publish(ev.CompactionFailed("c2", FAILURE, True, True))
        await settled(pilot)
        await talk.press("f10", "r")
        assert talk.states == ["active"]
        assert not talk.app.main.query(Banner)
        assert talk.app.main.prompt.text == "rsn"

    await tell(story)


async def test_esc_in_the_prompt_takes_the_banner_away_and_a_stopped_compaction_shows_none(
    tell: Callable[[Story], Awaitable[None]],
) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        session = talk.core.session
        assert session is not None
        stopped = Problem("interrupted", "The compaction was stopped; nothing was changed.", "")
        session.hub.publish(ev.CompactionFailed("c1", stopped, True, False))
        await settled(pilot)
        assert not talk.app.main.query(Banner)
        session.hub.publish(ev.CompactionFailed("c2", FAILURE, False, False))
        await settled(pilot)
        assert len(talk.app.main.query(Banner)) == 1
        talk.app.main.prompt.focus()
        await talk.press("escape")
        assert not talk.app.main.query(Banner)

    await tell(story)


async def test_a_text_that_was_not_saved_waits_for_one_to_come_back_to_its_session(
    tell: Callable[[Story], Awaitable[None]],
) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        assert talk.core.session is not None
        path = talk.core.session.store.path
        await talk.say("/compact")
        await talk.press("f5", "e", *"Mine: ")
        await talk.core.switch_to(None)
        await settled(pilot)
        assert not talk.pane.is_editing
        await talk.core.switch_to(path)
        await settled(pilot)
        assert talk.pane.editor.text.startswith("Mine: ")
        await talk.press("f5", "f5", "ctrl+s")
        assert talk.states == ["superseded", "active"]

    await tell(story)


async def test_recall_finds_what_was_said_and_leads_to_it_in_the_chat(
    tell: Callable[[Story], Awaitable[None]],
) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        await talk.say("/compact")
        await talk.say("/recall legacy")
        screen = talk.app.screen
        assert isinstance(screen, RecallScreen)
        while not screen.query_one(HitList).hits:
            await pilot.pause(0.01)
        await pilot.press("enter")
        while talk.app.screen is screen:
            await pilot.pause(0.01)
        await settled(pilot)
        block = talk.core.chat.cursor_block
        assert block is not None
        assert talk.core.chat.has_focus

    await tell(story)


async def test_a_compaction_that_comes_by_itself_is_shown_first_where_the_user_wants_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_desk, "UNASKED_GRACE_SECONDS", 0.0)
    app = make_app(tmp_path, flags={"compaction.pruning": False, "compaction.preview": True})
    write_long(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        session = core.session
        assert session is not None
        while not isinstance(app.screen, PreviewScreen):
            if not session.is_running:
                app.main.prompt.focus()
                await begin(pilot, "read long.txt")
            await pilot.pause(0.01)
        assert not session.memory.versions()
        await pilot.press("enter")
        await session.wait_idle()
        await settled(pilot)
        assert [version.state for version in session.memory.versions()] == ["active"]
        assert app.main.state is not None
        assert app.main.state.compactions == 1


async def test_the_header_of_a_session_that_goes_on_counts_compactions_and_not_versions(
    tell: Callable[[Story], Awaitable[None]],
) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        session = talk.core.session
        assert session is not None
        await talk.say("/compact")
        await session.memory.edit_summary("## Goal\n- mine")
        await talk.core.switch_to(None)
        await talk.core.switch_to(session.store.path)
        await settled(pilot)
        assert talk.app.main.state is not None
        assert talk.app.main.state.compactions == 1

    await tell(story)


async def test_words_that_stream_lay_out_and_paint_no_more_than_themselves(
    tell: Callable[[Story], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(pilot: Pilot[int], talk: Talk) -> None:
        main = talk.app.main
        whole: list[str] = []
        paint_all, lay_out, state = Compositor.render_full_update, Compositor.reflow, main.state
        assert state is not None

        def noted(compositor: Compositor, simplify: bool = False) -> CompositorUpdate:
            whole.append("painted")
            return paint_all(compositor, simplify)

        def laid_out(compositor: Compositor, parent: Widget, size: Size) -> ReflowResult:
            whole.append("laid out")
            return lay_out(compositor, parent, size)

        monkeypatch.setattr(Compositor, "render_full_update", noted)
        monkeypatch.setattr(Compositor, "reflow", laid_out)
        for words in range(1, 9):
            main.state = replace(state, phase="compacting", compacting=Writing(0.0, "summarising", words))
            await pilot.pause()
        assert whole == []
        queued = ev.QueuedText("q1", "and then this", "queue")
        main.state = replace(state, queue=(queued,))
        await pilot.pause()
        assert main.query_one(QueueStrip).display
        assert "laid out" in whole

    await tell(story)
