"""The question whether a tool may do what it wants: answered by keys, one at a time, the safe one under Enter."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.agent.permissions import Decision
from diligent_tui.domain.events import PermissionRequested, ToolFinished
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.theme import THEMES
from diligent_tui.ui.widgets.diff import Diff, DiffLayout, DiffLook, DiffSheet
from tests.ui.permission_stage import PermissionStage
from tests.ui.stage import begin, make_app, ready

NPM = PermissionRequested("1", "bash", "npm test", "npm may change things.", rule="bash(npm test)")
HARD = PermissionRequested("2", "bash", "echo $x", "A command that cannot be read with certainty.")
PATIENCE_SECONDS = 20.0
"""A question that nobody answers must not hang the suite."""
LONG = PermissionRequested("3", "bash", "\n".join(f"echo {n}" for n in range(100)), "Long.", rule="bash(echo *)")


def change(lines: int, *, subject: str = "src/long.py", tail: str = "") -> PermissionRequested:
    """A question on a diff that changes so many lines."""
    removed = "".join(f"-    value = compute({n})\n" for n in range(lines))
    added = "".join(f"+    value = compute({n}, again)\n" for n in range(lines))
    diff = f"--- src/long.py\n+++ src/long.py\n@@ -1,{lines} +1,{lines} @@\n{removed}{added}{tail}"
    return PermissionRequested("4", "edit", subject, "It would be changed.", diff, "edit(src/**)")


def rows_of(app: PermissionStage) -> list[str]:
    """The diff as it is shown."""
    sheet = app.screen.query_one(DiffSheet)
    return [sheet.render_line(row).text.rstrip() for row in range(sheet.row_count)]


@asynccontextmanager
async def asked(
    *questions: PermissionRequested, size: tuple[int, int] = (100, 30)
) -> AsyncGenerator[tuple[PermissionStage, Pilot[int], PermissionScreen]]:
    app = PermissionStage()
    async with app.run_test(size=size) as pilot:
        dialog = await app.ask(*questions)
        await pilot.pause()
        await pilot.pause()
        yield app, pilot, dialog


@pytest.mark.parametrize(
    ("keys", "decision"),
    [
        (["y"], Decision(allowed=True)),
        (["s"], Decision(allowed=True, scope="session", rule="bash(npm test)")),
        (["a", "enter"], Decision(allowed=True, scope="always", rule="bash(npm test)")),
        (["a", *["backspace"] * 5, "*", ")", "enter"], Decision(allowed=True, scope="always", rule="bash(npm *)")),
        (["a", "escape", "y"], Decision(allowed=True)),
        (["n"], Decision(allowed=False)),
        (["enter"], Decision(allowed=False)),
        (["escape"], Decision(allowed=False)),
        (["r", *"use make", "enter"], Decision(allowed=False, reason="use make")),
        (["r", "enter"], Decision(allowed=False)),
        (["r", *"y", "escape", "s"], Decision(allowed=True, scope="session", rule="bash(npm test)")),
        (["x", "q", "y"], Decision(allowed=True)),
    ],
)
async def test_each_key_is_an_answer(keys: list[str], decision: Decision) -> None:
    async with asked(NPM) as (app, pilot, dialog):
        await pilot.press(*keys)
        await pilot.pause()
        assert app.answers == [("1", decision)]
        assert app.screen is not dialog


async def test_keys_typed_quickly_go_where_they_belong() -> None:
    async with asked(NPM) as (app, pilot, _):
        await pilot.press(*"rno", "enter", "y", "enter")
        await pilot.pause()
        assert app.answers == [("1", Decision(allowed=False, reason="no"))]


async def test_without_a_rule_there_is_no_always_and_a_session_is_exactly_this() -> None:
    async with asked(HARD) as (app, pilot, dialog):
        assert "always" not in app.words("keys")
        assert "s this very command, this session" in app.words("keys")
        await pilot.press("a")
        assert app.screen is dialog
        await pilot.press("s")
        assert app.answers == [("2", Decision(allowed=True, scope="session"))]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_the_keys_stand_at_the_foot_of_the_box_while_a_rule_is_typed(size: tuple[int, int]) -> None:
    async with asked(change(30), size=size) as (app, pilot, dialog):
        await pilot.press("end", "a")
        await pilot.pause()
        for typed in ([], ["backspace", "backspace", "enter"]):
            await pilot.press(*typed)
            await pilot.pause()
            keys, box = dialog.query_one("#permission-keys"), dialog.query_one("#permission")
            assert keys.region.bottom == box.region.shrink(box.styles.gutter).bottom
        assert "is not a rule" in app.words("keys")


async def test_a_rule_that_cannot_be_read_is_not_taken() -> None:
    async with asked(NPM) as (app, pilot, dialog):
        await pilot.press("a", "backspace", "enter")
        await pilot.pause()
        assert app.answers == []
        assert "is not a rule" in app.words("keys")
        assert app.screen is dialog
        await pilot.press(")", "enter")
        await pilot.pause()
        assert app.answers == [("1", Decision(allowed=True, scope="always", rule="bash(npm test)"))]


async def test_questions_come_one_at_a_time_and_are_counted() -> None:
    async with asked(NPM, HARD, NPM) as (app, pilot, dialog):
        assert "1 of 3" in app.words("title")
        await pilot.press("y")
        assert "2 of 3" in app.words("title")
        assert "echo $x" in app.words("subject")
        dialog.add(LONG)
        assert "2 of 4" in app.words("title")
        await pilot.press("n", "n", "n")
        await pilot.pause()
        assert [call_id for call_id, _ in app.answers] == ["1", "2", "1", "3"]
        assert app.screen is not dialog


async def test_a_question_that_was_answered_elsewhere_goes_away() -> None:
    async with asked(NPM, HARD, LONG) as (app, pilot, dialog):
        dialog.withdraw("2")
        assert "1 of 2" in app.words("title")
        dialog.withdraw("nobody")
        await pilot.press("r", "x")
        dialog.withdraw("1")
        assert "echo 0" in app.words("subject")
        assert not app.screen.query_one("#permission-typing").display
        dialog.withdraw("3")
        await pilot.pause()
        assert (app.answers, app.screen is dialog) == ([], False)


async def test_what_is_not_all_in_sight_cannot_be_allowed_before_it_was_scrolled_to_its_end() -> None:
    async with asked(LONG) as (app, pilot, _):
        await pilot.press("y", "s", "a")
        await pilot.pause()
        assert app.answers == []
        assert "more below" in app.words("keys")
        await pilot.press("end")
        await pilot.pause()
        assert "once" in app.words("keys")
        await pilot.press("home", "y")
        assert app.answers == [("3", Decision(allowed=True))]


async def test_a_long_question_can_be_refused_at_once() -> None:
    async with asked(LONG) as (app, pilot, _):
        await pilot.press("enter")
        assert app.answers == [("3", Decision(allowed=False))]


async def test_the_next_question_must_be_looked_at_too() -> None:
    async with asked(NPM, LONG) as (app, pilot, _):
        await pilot.press("y", "y")
        await pilot.pause()
        assert [call_id for call_id, _ in app.answers] == ["1"]


async def test_having_seen_the_end_of_one_is_not_to_have_seen_the_end_of_the_next() -> None:
    async with asked(LONG, LONG) as (app, pilot, _):
        await pilot.press("end")
        await pilot.pause()
        await pilot.press("y", "y")
        await pilot.pause()
        await pilot.press("y")
        assert app.answers == [("3", Decision(allowed=True))]


async def test_keys_that_were_meant_for_the_screen_before_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PermissionScreen, "GRACE_SECONDS", 0.5)
    now = [10.0]
    app = PermissionStage(clock=lambda: now[0])
    async with app.run_test(size=(100, 30)) as pilot:
        await app.ask(NPM, HARD)
        await pilot.pause()
        for key in ("s", "y", "enter", "n"):
            # Longer than the wait in all: each key begins it anew.
            now[0] += 0.4
            await pilot.press(key)
        assert app.answers == []
        now[0] += 0.6
        await pilot.press("y", "y")
        assert [call_id for call_id, _ in app.answers] == ["1"]
        now[0] += 0.6
        await pilot.press("y")
        assert [call_id for call_id, _ in app.answers] == ["1", "2"]


async def test_nothing_in_a_command_stays_hidden() -> None:
    hostile = PermissionRequested("1", "ba\x1b[2Jsh", "rm \u202ex\x1b[2J\u200b; y", "Why\u202e?", rule="bash(\u200bx)")
    async with asked(hostile) as (app, _, __):
        assert app.words("subject") == "rm ⟨U+202E⟩x␛[2J⟨U+200B⟩; y"
        shown = app.words("title") + app.words("reason")
        assert not any(sign in shown for sign in "\x1b\u202e\u200b")


async def test_nothing_in_a_diff_stays_hidden() -> None:
    diff = "--- x\n+++ x\n@@ -1 +1 @@\n-if\tadmin:\n+if admin\u202e \u200b\x1b[2J:\n"
    name = "src/\u202e" + "long/" * 30 + "end.py"
    async with asked(PermissionRequested("1", "edit", name, "Why.", diff)) as (app, _, __):
        shown = rows_of(app)
        assert [row[-2:] for row in shown[-2:]] == ["n:", "J:"]
        assert shown[-1].endswith("if admin⟨U+202E⟩ ⟨U+200B⟩␛[2J:")
        assert shown[-2].endswith("if    admin:")
        assert "".join(row.removesuffix("+1 −1").strip() for row in shown[:-2]) == name.replace("\u202e", "⟨U+202E⟩")


async def test_what_a_diff_leaves_out_is_said() -> None:
    tail = "[… 1,234 more lines of this diff are left out; in all +2,000 −3 lines]"
    async with asked(change(2, tail=tail)) as (app, _, __):
        assert rows_of(app)[-1] == "… 1,234 more lines of the diff not shown"


async def test_a_long_diff_must_be_scrolled_to_its_end_and_only_what_is_in_sight_is_drawn() -> None:
    async with asked(change(2_500), NPM) as (app, pilot, _):
        await pilot.press("y", "s", "a")
        assert app.answers == []
        sheet = app.screen.query_one(DiffSheet)
        assert sheet.row_count == 5_001
        await pilot.press(*["pagedown"] * 20)
        assert sheet.lexed_lines < 1_000
        await pilot.press("end")
        await pilot.pause()
        await pilot.press("y", "y")
        await pilot.pause()
        assert [call_id for call_id, _ in app.answers] == ["4", "1"]


async def test_a_long_diff_is_laid_out_once_for_each_width_it_is_measured_at(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []

    def lay_out(diff: Diff, width: int, look: DiffLook, *, reveals: bool) -> DiffLayout:
        widths.append(width)
        return DiffLayout(diff, width, look, reveals=reveals)

    monkeypatch.setattr("diligent_tui.ui.widgets.diff.sheet.DiffLayout", lay_out)
    async with asked(change(60)) as (app, pilot, _):
        assert len(widths) == len(set(widths)) == 2
        before = rows_of(app)
        app.theme = THEMES["light"].name
        await pilot.pause()
        assert len(widths) > 2
        assert rows_of(app) == before


async def test_a_diff_behind_a_command_and_a_command_behind_a_diff_must_be_looked_at_too() -> None:
    async with asked(NPM, change(60), LONG) as (app, pilot, _):
        await pilot.press("y", "y", "y")
        await pilot.pause()
        assert [call_id for call_id, _ in app.answers] == ["1"]
        await pilot.press("end")
        await pilot.pause()
        await pilot.press("y", "y")
        await pilot.pause()
        assert [call_id for call_id, _ in app.answers] == ["1", "4"]


async def test_in_the_real_app_always_is_saved_and_not_asked_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        outputs: list[str] = []
        core.session.hub.subscribe(
            lambda event: outputs.append(event.output) if isinstance(event, ToolFinished) else None
        )
        await begin(pilot, "run touch made")
        while not isinstance(app.screen, PermissionScreen):
            await pilot.pause(0.01)
        while not any("once" in str(keys.render()) for keys in app.screen.query("#permission-keys").results(Static)):
            await pilot.pause(0.01)
        await pilot.press("a", "enter")
        await core.session.wait_idle()
        await begin(pilot, "run touch made")
        await asyncio.wait_for(core.session.wait_idle(), PATIENCE_SECONDS)
        assert (tmp_path / "project" / "made").exists()
        assert len(outputs) == 2
        settings = tmp_path / "home" / ".config" / "diligent" / "diligent.jsonc"
        assert '"bash(touch made)"' in settings.read_text()
