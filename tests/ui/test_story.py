"""A day in the tree: prompts, a branch, a label, a summary, a fork, a comparison, a quote; then quit and reopen."""

from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.entries import BranchSummaryEntry
from diligent_tui.domain.speech import speech_of
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.comparison import ComparisonScreen
from diligent_tui.ui.screens.context_at import ContextScreen
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from tests.ui.album import Album
from tests.ui.stage import ask, make_app, ready, session_of, settled

Dialog = LeaveBranchScreen | ComparisonScreen | ContextScreen
SIZE = (140, 40)
MOMENT = "2026-03-04T05:06:07.000Z"
PROMPTS = ("read notes.md", "read plan.md", "run echo swans", "plan a pond", "what did I ask?")


@pytest.fixture(autouse=True)
def _steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, sessions = count(1), count(1)

    def entry_id(_: object) -> str:
        return f"{next(numbers):08x}"

    def session_id(_: object) -> str:
        return f"20260304050607-{next(sessions):06x}"

    def the_same(*_: object) -> str:
        return MOMENT

    monkeypatch.setattr("diligent_tui.session.store.new_entry_id", entry_id)
    monkeypatch.setattr("diligent_tui.agent.session.new_session_id", session_id)
    monkeypatch.setattr("diligent_tui.session.fork.new_session_id", session_id)
    monkeypatch.setattr("diligent_tui.agent.conversation.to_stamp", the_same)
    monkeypatch.setattr("diligent_tui.ui.format.age", _as_old)
    monkeypatch.setattr("diligent_tui.ui.format.duration", _as_long)
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words)


def _as_old(_: float) -> str:
    return "2 min"


def _as_long(_: float) -> str:
    return "0.2 s"


def _same_words(*_: object) -> str:
    return "Be good.\n"


def prompt_ids(session: AgentSession) -> dict[str, str]:
    """The first entry that says each prompt."""
    found: dict[str, str] = {}
    for node in session.store.tree.nodes.values():
        if node.is_prompt:
            found.setdefault(speech_of(session.store.entry(node.id)).words, node.id)
    return found


async def shown(pilot: Pilot[int], screen: type[Dialog]) -> None:
    while not isinstance(pilot.app.screen, screen):
        await pilot.pause(0.005)
    await pilot.pause()


async def in_main(pilot: Pilot[int], app: DiligentApp) -> None:
    """Wait until no journey goes on and the main screen is painted."""
    while app.screen is not app.main or any(worker.group == "travel" for worker in app.workers):
        await pilot.pause(0.005)
    await settled(pilot)


async def test_everything_stands_where_it_was(tmp_path: Path, album: Album) -> None:
    app = make_app(tmp_path)
    project = app.opening.cwd
    (project / "notes.md").write_text("seven swans\n")
    (project / "plan.md").write_text("# Plan\n\nDig, then fill.\n")
    async with album.open(app, SIZE) as pilot:
        core = await ready(pilot)
        for prompt in PROMPTS:
            await ask(pilot, prompt)
        session = session_of(app)
        ids = prompt_ids(session)
        old_leaf = session.store.tree.leaf_id

        await pilot.press("f2")
        core.tree.go_to(ids["read plan.md"])
        await settled(pilot)
        album.compare(app, "1 five prompts")

        await pilot.press("enter")
        await shown(pilot, LeaveBranchScreen)
        album.compare(app, "2 leaving")
        await pilot.press("1", "enter")
        await in_main(pilot, app)
        assert app.main.prompt.text == "read plan.md"
        app.main.prompt.set_text("")
        await ask(pilot, "list")
        branch_leaf = session.store.tree.leaf_id
        assert [n.id for n in session.conversation.path if n.is_prompt] == [
            ids["read notes.md"],
            prompt_ids(session)["list"],
        ]

        core.tree.focus()
        core.tree.go_to(prompt_ids(session)["list"])
        await pilot.press("l", *"pond", "enter")
        while session.branch != "pond":
            await pilot.pause(0.005)
        await settled(pilot)
        album.compare(app, "3 labelled")

        assert old_leaf
        core.tree.go_to(old_leaf)
        await pilot.press("enter")
        await shown(pilot, LeaveBranchScreen)
        await pilot.press("2", "enter")
        await in_main(pilot, app)
        summary = session.store.entry(session.store.tree.leaf_id or "")
        assert isinstance(summary, BranchSummaryEntry)
        assert (summary.from_id, summary.parent_id) == (branch_leaf, old_leaf)
        album.compare(app, "4 summarised")

        core.tree.focus()
        core.tree.go_to(prompt_ids(session)["list"])
        await pilot.press("c")
        await shown(pilot, ComparisonScreen)
        album.compare(app, "5 compared")
        await pilot.press("escape")
        await in_main(pilot, app)

        await pilot.press("x")
        await shown(pilot, ContextScreen)
        album.compare(app, "6 context")
        await pilot.press("escape")
        await in_main(pilot, app)

        result = next(n.id for n in session.store.tree.path(branch_leaf)[::-1] if n.role == "tool_result")
        core.tree.go_to(result)
        await pilot.press("b")
        await in_main(pilot, app)
        assert (
            "Brought here from another branch" in speech_of(session.store.entry(session.store.tree.leaf_id or "")).words
        )
        album.compare(app, "7 brought over")

        core.tree.focus()
        core.tree.go_to(ids["run echo swans"])
        await pilot.press("F")
        while session_of(app) is session:
            await pilot.pause(0.005)
        await in_main(pilot, app)
        fork = session_of(app)
        assert fork.store.content.header.parent_session == session.id
        assert app.main.prompt.text == "run echo swans"
        app.main.prompt.set_text("")
        await ask(pilot, "hello, fork")
        album.compare(app, "8 forked")
        fork_id, fork_leaf = fork.id, fork.store.tree.leaf_id

    again = make_app(tmp_path, goes_on=True)
    async with album.open(again, SIZE) as pilot:
        await ready(pilot)
        await pilot.press("f2")
        await in_main(pilot, again)
        reopened = session_of(again)
        assert (reopened.id, reopened.store.tree.leaf_id) == (fork_id, fork_leaf)
        album.compare(again, "9 reopened")

    first = make_app(tmp_path, resume=session.id, goes_on=True)
    async with album.open(first, SIZE) as pilot:
        await ready(pilot)
        await in_main(pilot, first)
        reopened = session_of(first)
        assert [n.id for n in reopened.conversation.path] == [n.id for n in session.conversation.path]
        assert reopened.store.content.labels == session.store.content.labels
        assert reopened.branch == session.branch
