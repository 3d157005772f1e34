"""The offline model uses the tools for files, the search and the list, through the door of the agent."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.events import PermissionRequested, ToolFinished, TurnFinished
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.models import Model
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.providers.wire import check_request
from diligent_tui.tools.base import Call, Workplace
from diligent_tui.tools.todo_list import TodoItem, newest_todo
from diligent_tui.tools.toolbox import recall_tool
from tests.agent.conftest import MakeStage, Stage


def said(stage: Stage) -> str:
    answer = stage.messages()[-1]
    assert isinstance(answer, AssistantMessage)
    return answer.text


async def asked(stage: Stage, prompt: str) -> PermissionRequested:
    """Send the prompt and wait for its question."""
    seen: asyncio.Future[PermissionRequested] = asyncio.get_running_loop().create_future()
    stop = stage.session.hub.subscribe(
        lambda event: seen.set_result(event) if isinstance(event, PermissionRequested) else None
    )
    await stage.session.prompt(prompt)
    question = await asyncio.wait_for(seen, 20)
    stop()
    return question


async def test_it_writes_edits_reads_and_searches(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("skipped/\n")
    (tmp_path / "skipped").mkdir()
    (tmp_path / "skipped" / "x").write_text("seven ducks\n")
    order = "write `seven swans` to birds.txt then edit swans to ducks in birds.txt then search `seven ducks` in ."
    await stage.ask(f"{order} then read birds.txt")
    finished = stage.heard(ToolFinished)
    assert [event.name for event in finished] == ["write", "edit", "grep", "read"]
    assert not any(event.is_error for event in finished)
    assert (tmp_path / "birds.txt").read_text() == "seven ducks"
    assert finished[0].output == "Made birds.txt: 1 line, 11 bytes."
    assert "-seven swans" in finished[1].diff
    assert "+seven ducks" in finished[1].diff
    assert finished[2].output == "birds.txt:1:seven ducks"
    assert "seven ducks" in said(stage)
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_the_question_shows_the_diff_and_a_no_changes_nothing(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage(mode="ask")
    (tmp_path / "a.txt").write_text("old words\n")
    question = await asked(stage, "edit old to new in a.txt")
    assert question.subject == "a.txt"
    assert "-old words\n+new words" in question.diff
    assert question.rule
    stage.session.resolve_permission(question.call_id, allowed=False, reason="leave it")
    await stage.session.wait_idle()
    assert (tmp_path / "a.txt").read_text() == "old words\n"


async def test_a_yes_is_a_yes_to_what_was_shown(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage(mode="ask")
    (tmp_path / "a.txt").write_text("old words\n")
    question = await asked(stage, "edit old to new in a.txt")
    (tmp_path / "a.txt").write_text("old words, and the user's own\n")
    stage.session.resolve_permission(question.call_id, allowed=True)
    await stage.session.wait_idle()
    assert "changed after the user was asked; nothing was written" in stage.heard(ToolFinished)[-1].output
    assert (tmp_path / "a.txt").read_text() == "old words, and the user's own\n"
    again = await asked(stage, "edit old to new in a.txt")
    stage.session.resolve_permission(again.call_id, allowed=True)
    await stage.session.wait_idle()
    assert (tmp_path / "a.txt").read_text() == "new words, and the user's own\n"


async def test_an_edit_that_cannot_be_made_is_told_without_a_question(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage(mode="ask")
    (tmp_path / "a.txt").write_text("some words\n")
    await stage.ask("edit other to new in a.txt")
    assert stage.heard(PermissionRequested) == []
    assert "`old` is not in a.txt" in stage.heard(ToolFinished)[-1].output
    assert "refused" not in said(stage)


@pytest.mark.parametrize("path", [".git/config", "AGENTS.md", "../outside.txt"])
async def test_even_full_mode_asks_for_what_is_protected(make_stage: MakeStage, tmp_path: Path, path: str) -> None:
    stage = make_stage(mode="full")
    question = await asked(stage, f"write `x` to {path}")
    stage.session.resolve_permission(question.call_id, allowed=False)
    await stage.session.wait_idle()
    assert not (tmp_path / path).exists()


async def test_plan_mode_changes_nothing(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage(mode="plan")
    await stage.ask("write `x` to a.txt then search x in .")
    assert not (tmp_path / "a.txt").exists()
    assert "plan mode" in stage.heard(ToolFinished)[0].output


async def test_the_list_lives_on_its_path_and_leaves_the_prefix_as_it_was(stage: Stage) -> None:
    await stage.ask("plan look, write, check")
    items = (TodoItem("look", "active"), TodoItem("write"), TodoItem("check"))
    assert newest_todo(stage.messages()) == items
    first_leaf = stage.session.store.tree.leaf_id
    before = stage.session.next_request()
    # Behind an answer a request asks to go on; all before that was really sent.
    sent = before.messages[:-1]
    assert [turn.role for turn in sent] == ["user", "assistant", "user", "assistant"]
    await stage.ask("plan other, things")
    after = stage.session.next_request()
    assert after.messages[:4] == sent
    assert (after.system, after.tools) == (before.system, before.tools)
    assert newest_todo(stage.messages()) == (TodoItem("other", "active"), TodoItem("things"))
    await stage.session.move_to(first_leaf)
    assert newest_todo(stage.messages()) == items
    again = await stage.reopen()
    assert newest_todo(again.messages()) == items
    await again.session.close()


async def test_a_picture_goes_into_the_result_and_the_request_stays_right(stage: Stage, tmp_path: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\2\0\0\0" + bytes(20)
    (tmp_path / "a.png").write_bytes(png)
    await stage.ask("read a.png")
    assert stage.heard(ToolFinished)[-1].output == f"[a.png: PNG image, 2 × 3 pixels, {len(png)} bytes]"
    assert check_request(stage.session.next_request()) == []
    seeing: Model = replace(REHEARSAL, sees_images=True)
    assert check_request(stage.session.next_request(seeing)) == []


async def test_recall_brings_back_what_the_session_holds(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("seven swans\n")
    await stage.ask("read a.txt")
    tool = recall_tool(stage.session.store.entry)
    place = Workplace(tmp_path, tmp_path, 20_000, tmp_path)
    recalled = [
        (await tool.run({"id": node.id}, Call(place, "0", lambda _: None))).output.partition("\n")[2]
        for node in stage.session.conversation.path
        if node.type == "message"
    ]
    assert recalled[0] == "read a.txt"
    assert recalled[2] == stage.heard(ToolFinished)[0].output
