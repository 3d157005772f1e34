"""The verbs of memory on a session that runs: compact, undo, redo, edit, choose, pin."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.agent.memory import DoesNotFit
from diligent_tui.agent.requests import CONTINUE, PINNED_INTRO, SUMMARY_QUESTION
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.totals import save_totals
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.entries import PruneEntry
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import (
    CompactionFailed,
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    CompactionStarted,
    ModelChanged,
    SummaryEdited,
    TurnFinished,
)
from diligent_tui.domain.messages import UserMessage
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.registry import REHEARSAL
from tests.agent.memory_stage import MemoryStage, reads, stage_in, tokens_in, words_in

ORDER = ["CompactionStarted", "CompactionSummarising", "CompactionChecking", "CompactionFinished"]
OWN_SUMMARY = """## Goal
- Read long.txt and find the line with the value, as the user said in so many words several times today.
## Progress
### Done
- The file was read more than once, and its lines were looked at one by one without finding anything of note.
## Critical Context
- long.txt has two hundred and fifty lines, each with a path and a value that is seven times its number.
"""


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[MemoryStage]:
    stage = stage_in(tmp_path)
    yield stage
    await stage.session.close()


async def test_a_compaction_by_hand_is_told_step_by_step_and_shrinks_the_context(stage: MemoryStage) -> None:
    await stage.fill(3)
    before = stage.session.measure().tokens
    assert await stage.memory.compact(CompactionWish(focus="the values"))
    assert stage.compaction_names() == ORDER
    finished = stage.heard(CompactionFinished)[0]
    assert finished.tokens_before == before
    assert stage.session.measure().tokens == finished.tokens_after < before
    assert "the values" in words_in(stage.player.requests[-1].messages)
    assert stage.active.messages == finished.messages > 0


async def test_the_summary_is_asked_for_on_the_cached_prefix(stage: MemoryStage) -> None:
    await stage.fill(3)
    last_turn = stage.player.turns[-1]
    await stage.memory.compact(CompactionWish())
    asked = stage.player.requests[-1]
    assert asked.purpose == "summary"
    assert (asked.system, asked.tools, asked.thinking) == (last_turn.system, last_turn.tools, last_turn.thinking)
    shared = len(asked.messages) - 1
    assert asked.messages[:shared] == last_turn.messages[:shared]


async def test_with_nothing_before_the_cut_nothing_is_written_and_nobody_asked(stage: MemoryStage) -> None:
    await stage.ask("hello")
    entries, asked = len(stage.session.store.tree.nodes), len(stage.player.requests)
    with pytest.raises(UsageError, match="a summary would be no shorter"):
        await stage.memory.compact(CompactionWish())
    assert (len(stage.session.store.tree.nodes), len(stage.player.requests)) == (entries, asked)
    assert not stage.compaction_names()
    await stage.ask("hello again")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_undo_brings_every_word_back_also_after_later_turns_and_redo_takes_it_away(stage: MemoryStage) -> None:
    await stage.fill(2)
    before = stage.said()
    await stage.memory.compact(CompactionWish())
    compacted = stage.said()
    assert before not in compacted
    await stage.ask("hello, go on")
    await stage.memory.undo()
    assert stage.said().startswith(before)
    assert "hello, go on" in stage.said()
    assert stage.heard(CompactionReverted)[-1].redone is False
    await stage.memory.redo()
    assert stage.said().startswith(compacted)
    assert "hello, go on" in stage.said()
    with pytest.raises(UsageError, match="nothing to redo"):
        await stage.memory.redo()


async def test_undo_of_the_second_compaction_brings_the_first_back(stage: MemoryStage) -> None:
    await stage.fill(2)
    await stage.memory.compact(CompactionWish())
    first = stage.active.id
    await stage.fill(2)
    await stage.memory.compact(CompactionWish())
    assert [version.state for version in stage.memory.versions()] == ["covered", "active"]
    await stage.memory.undo()
    assert stage.active.id == first
    await stage.memory.undo()
    assert stage.session.conversation.fold.cut is None
    await stage.memory.redo()
    assert stage.active.id == first
    await stage.memory.redo()
    assert [version.state for version in stage.memory.versions()] == ["covered", "active"]


async def undo_all(stage: MemoryStage) -> None:
    while stage.session.conversation.fold.cut:
        await stage.memory.undo()


async def test_an_undo_that_would_not_fit_says_by_how_much_and_a_tighter_cut_works(tmp_path: Path) -> None:
    stage = stage_in(tmp_path, CompactionPolicy(prunes=False))
    await stage.fill(9)
    await stage.memory.compact(CompactionWish())
    with pytest.raises(DoesNotFit) as refused:
        await undo_all(stage)
    assert refused.value.over_tokens > 0
    assert f"{refused.value.over_tokens:,}" in refused.value.message
    tighter = stage.memory.preview(CompactionWish(restores=True))
    assert not isinstance(tighter, Refusal)
    held = stage.active
    assert await stage.memory.compact(CompactionWish(restores=True, cut=tighter.cuts[-1]))
    assert stage.active.id != held.id
    assert stage.session.measure().tokens < stage.session.measure().limit
    await stage.session.close()


async def test_an_edited_summary_is_what_the_model_sees_and_the_old_one_stays(stage: MemoryStage) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    old = stage.active
    edited = await stage.memory.edit_summary(f"{old.summary}\n- never touch part_13")
    assert stage.heard(SummaryEdited)[-1] == SummaryEdited(edited.id, old.id)
    assert "never touch part_13" in stage.said()
    versions = stage.memory.versions()
    assert [(version.number, version.revision, version.state) for version in versions] == [
        (1, 1, "superseded"),
        (1, 2, "active"),
    ]
    assert versions[0].entry.summary == old.summary
    await stage.ask("hello")
    await stage.memory.undo()
    assert stage.session.conversation.fold.cut is None
    await stage.memory.redo()
    assert stage.active.id == edited.id


@pytest.mark.parametrize("words", ["", " \n "])
async def test_an_empty_summary_is_refused(stage: MemoryStage, words: str) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    with pytest.raises(UsageError, match="empty"):
        await stage.memory.edit_summary(words)


async def test_another_summary_holds_only_once_it_is_chosen(stage: MemoryStage) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    held = stage.active
    heard: list[str] = []
    stage.player.summaries = [OWN_SUMMARY]
    draft = await stage.memory.draft(CompactionWish(strategy="summarize"), heard.append)
    assert "seven times its number" in draft.entry.summary
    assert "seven times its number" in "".join(heard)
    assert stage.active.id == held.id
    chosen = await stage.memory.choose(draft)
    assert stage.active.id == chosen.id
    assert stage.active.first_kept_entry_id == held.first_kept_entry_id
    with pytest.raises(UsageError, match="changed meanwhile"):
        await stage.memory.choose(draft)


async def test_a_pinned_entry_is_quoted_whole_after_a_compaction_until_it_is_unpinned(stage: MemoryStage) -> None:
    await stage.ask("hello, the word is xylophone")
    pinned = stage.session.conversation.path[0].id
    await stage.memory.pin(pinned)
    await stage.fill(3)
    await stage.memory.compact(CompactionWish(strategy="truncate"))
    question = words_in(stage.session.next_request().messages[:1])
    assert "hello, the word is xylophone" in question
    assert stage.memory.fates()[pinned] == "pinned"
    await stage.memory.unpin(pinned)
    assert "xylophone" not in words_in(stage.session.next_request().messages[:1])
    assert stage.memory.fates()[pinned] == "summarised"


async def test_pins_have_a_budget(stage: MemoryStage) -> None:
    await stage.fill(2)
    results = [node.id for node in stage.session.conversation.path if node.role == "tool_result"]
    await stage.memory.pin(results[0])
    with pytest.raises(UsageError, match="pinned text"):
        await stage.memory.pin(results[1])
    assert stage.memory.pinned == {results[0]}


async def test_the_preview_moves_the_cut_and_counts_without_changing_anything(stage: MemoryStage) -> None:
    await stage.fill(3)
    entries = len(stage.session.store.tree.nodes)
    first = stage.memory.preview(CompactionWish())
    assert not isinstance(first, Refusal)
    assert {block.fate for block in first.blocks} == {"summarised", "kept"}
    tightest = stage.memory.preview(CompactionWish(cut=first.cuts[-1]))
    assert not isinstance(tightest, Refusal)
    assert tightest.tokens_after < first.tokens_after < first.tokens_before
    left_out = first.blocks[1].entry_id
    excluding = stage.memory.preview(CompactionWish(excluded=(left_out,)), pins=[first.blocks[0].entry_id])
    assert not isinstance(excluding, Refusal)
    assert [block.fate for block in excluding.blocks[:2]] == ["pinned", "excluded"]
    assert len(stage.session.store.tree.nodes) == entries
    wish = CompactionWish(cut=first.cuts[0], excluded=(left_out,))
    assert await stage.memory.compact(wish)
    assert stage.active.first_kept_entry_id == first.cuts[0].first_kept_id
    assert stage.memory.fates()[left_out] == "excluded"


async def test_leaving_out_a_call_leaves_out_its_results_but_a_result_alone_goes_without_its_call(
    stage: MemoryStage,
) -> None:
    await stage.fill(3)
    first = stage.memory.preview(CompactionWish())
    assert not isinstance(first, Refusal)
    call, result = next(
        (block.answers, block.entry_id) for block in first.blocks if block.answers and block.fate == "summarised"
    )

    def fates(*excluded: str) -> list[str]:
        shown = stage.memory.preview(CompactionWish(excluded=excluded))
        assert not isinstance(shown, Refusal)
        return [block.fate for block in shown.blocks if block.entry_id in (call, result)]

    assert fates(call) == ["excluded", "excluded"]
    assert fates(result) == ["summarised", "excluded"]
    assert fates() == ["summarised", "summarised"]
    assert await stage.memory.compact(CompactionWish(cut=first.cuts[0], excluded=(call,)))
    assert stage.active.excluded == (call, result)
    assert "line 5 names" not in words_in(stage.player.requests[-1].messages)


async def test_a_pin_that_changes_nothing_of_the_request_leaves_its_size_exact(stage: MemoryStage) -> None:
    await stage.fill(3)
    entries = [node.id for node in stage.session.conversation.path]
    exact = stage.session.measure()
    assert not exact.estimated
    await stage.memory.pin(entries[0])
    assert stage.session.measure() == exact
    await stage.memory.unpin(entries[0])
    assert stage.session.measure() == exact
    assert await stage.memory.compact(CompactionWish())
    await stage.ask("hello")
    exact = stage.session.measure()
    assert not exact.estimated
    await stage.memory.pin(entries[0])
    assert stage.memory.fates()[entries[0]] == "pinned"
    assert stage.session.measure().estimated
    await stage.memory.unpin(entries[0])
    assert stage.session.measure() == exact


async def test_the_context_view_is_the_next_request_to_the_word(stage: MemoryStage) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    request, view = stage.session.next_request(), stage.memory.context()
    shown = "".join(part.text for part in view.parts if part.kind not in ("system", "tools", "knowledge"))
    for message in request.messages[:-1]:
        for text in words_in((message,)).split("\n\n"):
            assert text.strip() in shown
    assert "".join(part.text for part in view.parts if part.kind in ("system", "knowledge")) == request.system
    assert view.tokens == stage.session.measure().tokens
    *_, said_by_us = view.parts
    assert said_by_us.title == "your next prompt"
    assert {part.entry_id for part in view.parts[:-1] if part.kind == "turns"} <= set(stage.session.store.tree.nodes)
    assert [kind for kind, tokens in view.breakdown if tokens] == ["system", "tools", "summary", "ledgers", "turns"]


async def test_what_is_told_of_each_kind_is_the_sum_of_its_parts_and_pins_are_the_quotes_alone(
    stage: MemoryStage,
) -> None:
    await stage.ask("hello, the word is xylophone")
    await stage.memory.pin(stage.session.conversation.path[0].id)
    await stage.fill(3)
    await stage.memory.compact(CompactionWish(strategy="truncate"))
    view = stage.memory.context()
    for kind, tokens in view.breakdown:
        assert tokens == sum(part.tokens for part in view.parts if part.kind == kind)
    (pins,) = (part for part in view.parts if part.kind == "pins")
    assert pins.text.startswith(PINNED_INTRO)
    assert "xylophone" in pins.text
    assert SUMMARY_QUESTION in [part.text for part in view.parts if part.kind == "summary"]


async def test_the_context_of_an_earlier_entry_is_what_was_sent_there(stage: MemoryStage) -> None:
    await stage.ask("hello")
    leaf = stage.session.store.tree.leaf_id
    before = stage.memory.context()
    await stage.fill(2)
    earlier = stage.memory.context_at(leaf)
    assert [part.text for part in earlier.parts] == [part.text for part in before.parts]


async def test_the_coverage_report_names_what_a_summary_dropped(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.player.summaries = [OWN_SUMMARY]
    await stage.memory.compact(CompactionWish())
    report = stage.memory.coverage(stage.active.id)
    assert report.at("dropped")
    assert stage.active.coverage == report.counts()


async def test_a_prompt_sent_while_it_compacts_is_queued_saved_and_answered_after(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.player.holds_summaries = True
    compacting = asyncio.create_task(stage.memory.compact(CompactionWish()))
    await stage.player.is_held.wait()
    assert stage.memory.is_compacting
    await stage.session.prompt("hello in between")
    assert [item.text for item in stage.session.waiting.items] == ["hello in between"]
    assert "hello in between" in stage.session.store.path.read_text()
    stage.player.let_go.set()
    assert await compacting
    await stage.session.wait_idle()
    prompt = stage.messages()[-2]
    assert isinstance(prompt, UserMessage)
    assert prompt.content == "hello in between"
    assert not stage.session.waiting.items


async def test_esc_stops_a_compaction_and_leaves_everything_as_it_was(stage: MemoryStage) -> None:
    await stage.fill(3)
    before = stage.said()
    stage.player.holds_summaries = True
    compacting = asyncio.create_task(stage.memory.compact(CompactionWish()))
    await stage.player.is_held.wait()
    stage.session.interrupt()
    assert await compacting is False
    assert stage.said() == before
    assert stage.heard(CompactionFailed)[0].problem.kind == "interrupted"
    stage.player.holds_summaries = False
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_with_the_provider_down_a_compaction_by_hand_still_works(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.player.summaries_fail = True
    assert await stage.memory.compact(CompactionWish())
    assert stage.active.strategy == "truncate"
    assert "long.txt" in stage.active.ledger
    assert stage.heard(CompactionFinished)


async def test_a_compaction_asked_for_in_the_middle_of_a_turn_comes_before_its_next_step(stage: MemoryStage) -> None:
    await stage.fill(2)
    wished = False

    def wish_once(event: object) -> None:
        nonlocal wished
        if type(event).__name__ == "ToolStarted" and not wished:
            wished = True
            asyncio.get_running_loop().create_task(stage.memory.compact(CompactionWish()))

    stage.session.hub.subscribe(wish_once)
    await stage.ask("read long.txt then read long.txt")
    assert stage.compaction_names() == ORDER
    names = [type(event).__name__ for event in stage.events]
    assert names.index("CompactionStarted") < len(names) - 1 - names[::-1].index("StepStarted")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_a_switch_to_a_smaller_window_compacts_first_with_the_model_that_is_left(tmp_path: Path) -> None:
    stage = stage_in(tmp_path)
    await stage.fill(4)
    small = replace(REHEARSAL, name="small", window_tokens=12_000)
    await stage.session.set_model(small)
    assert stage.heard(CompactionStarted)[0].reason == "model_switch"
    assert stage.player.requests[-1].model.name == REHEARSAL.name
    names = [type(event).__name__ for event in stage.events]
    assert names.index("CompactionFinished") < names.index(ModelChanged.__name__)
    await stage.ask("hello")
    assert stage.player.turns[-1].model.name == "small"
    assert tokens_in(stage.player.turns[-1]) < 12_000
    await stage.session.close()


async def test_a_session_that_is_opened_again_stands_where_undo_and_edit_left_it(stage: MemoryStage) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    await stage.memory.edit_summary(f"{stage.active.summary}\n- one more line")
    before = stage.said()
    await stage.session.close()
    again = await AgentSession.resume(stage.session.store.path, stage.given)
    assert words_in(again.next_request().messages).removesuffix(CONTINUE) == before
    await again.memory.undo()
    assert "one more line" not in words_in(again.next_request().messages)
    await again.close()


async def test_coverage_of_a_cut_turn_is_counted_as_it_was_saved(tmp_path: Path) -> None:
    stage = stage_in(tmp_path, CompactionPolicy(prunes=False))
    await stage.ask(reads(12))
    assert stage.active.turn_prefix is not None
    assert stage.memory.coverage(stage.active.id).counts() == stage.active.coverage
    await stage.session.close()


async def test_a_cost_that_was_once_unknown_makes_no_total(stage: MemoryStage) -> None:
    await stage.ask("hello")
    costs: list[float | None] = []
    for cost in (0.25, None, 0.5):
        await save_totals(stage.session.conversation, Usage(input_tokens=1), cost)
        totals = stage.session.store.content.totals
        assert totals is not None
        costs.append(totals.cost)
    assert costs == [0.25, None, None]


async def test_totals_count_compactions_and_not_the_versions_of_their_summaries(stage: MemoryStage) -> None:
    await stage.fill(3)
    await stage.memory.compact(CompactionWish())
    await stage.memory.edit_summary(OWN_SUMMARY)
    await stage.ask("hello")
    totals = stage.session.store.content.totals
    assert totals is not None
    assert totals.compactions == 1
    assert len(stage.memory.versions()) == 2


async def test_what_pruning_freed_is_saved_with_it(stage: MemoryStage) -> None:
    await stage.fill(5)
    await stage.memory.compact(CompactionWish(strategy="prune"))
    told = stage.heard(CompactionPruned)[-1]
    node = next(node for node in reversed(stage.session.conversation.path) if node.type == "prune")
    saved = stage.session.store.read(node.id)
    assert isinstance(saved, PruneEntry)
    assert saved.tokens_saved == told.tokens_saved > 0
