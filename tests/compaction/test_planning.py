"""Whatever the window, the overhead and the history: a compaction fits, or it is refused with a reason."""

import json
import weakref
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.agent.requests import build_messages
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import Plan, compaction_entry, facts_for, plan_compaction, shrinks
from diligent_tui.compaction.policy import budgets
from diligent_tui.compaction.sizes import PAIR_FRAME_BYTES
from diligent_tui.domain.entries import CONTENT_TYPES, CompactionEntry, CompactionRevertEntry, Entry, encode_entry
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.providers.wire import check_request
from diligent_tui.session.effective import CutTurn, SummaryPair, Verbatim, effective, fates
from tests.strategies.conversations import HUGE, POLICY, SHARES, Conversation, Step, Turn, tokens_at, turns

WINDOWS = (8_000, 16_000, 32_000, 128_000, 200_000, 1_000_000)
MODEL = Model("anthropic", "claude-a", sees_images=True)
ANY_TURN = turns((*SHARES, HUGE), (0.0, 0.001, 0.02, 0.1, 0.7))


def ratio_for(window_tokens: int) -> float:
    """Bytes per token: few for large windows, so that the texts of a test stay small."""
    return 3.0 if window_tokens <= 32_000 else 0.5


def check(talk: Conversation, window_tokens: int, overhead_tokens: int) -> None:
    """All that must hold of a session that was just compacted."""
    path = talk.session.path
    sequence = effective(path, talk.session.lookup)
    sizes = talk.sizes(tokens_at(ratio_for(window_tokens)))
    assert sum(sizes.items(sequence.items)) <= 0.6 * (window_tokens - overhead_tokens)
    fate = fates(path, sequence)
    assert set(fate) == {node.id for node in path if node.type in CONTENT_TYPES}
    assert fate[[node.id for node in path if node.is_prompt][-1]] == "verbatim"
    messages = build_messages(sequence.items, talk.session.lookup, MODEL)
    assert check_request(Request(MODEL, "Be good.", (), messages, 1_000)) == []


@given(
    st.sampled_from(WINDOWS),
    st.sampled_from((0.0, 0.1, 0.3, 0.6)),
    st.lists(st.tuples(st.lists(ANY_TURN, min_size=1, max_size=3), st.none() | st.integers(0, 50)), max_size=3),
)
@settings(max_examples=200)
def test_a_compacted_context_fits_or_the_refusal_is_honest(
    window_tokens: int, overhead_share: float, rounds: list[tuple[list[Turn], int | None]]
) -> None:
    overhead = int(window_tokens * overhead_share)
    tokens_of = tokens_at(ratio_for(window_tokens))
    talk = Conversation(int(window_tokens * ratio_for(window_tokens)))
    for played, pinned in rounds:
        for turn in played:
            talk.play(turn)
        if pinned is not None:
            talk.pin(pinned)
        made = talk.compact(tokens_of, window_tokens, overhead)
        if isinstance(made, CompactionEntry):
            check(talk, window_tokens, overhead)
            sizes = talk.sizes(tokens_of)
            assert made.tokens_after == overhead + sum(sizes.items(talk.see().items))
        else:
            assert_honest(made, talk, window_tokens, overhead)


def assert_honest(refusal: Refusal, talk: Conversation, window_tokens: int, overhead_tokens: int) -> None:
    """A refusal has a cause that nothing but the user's own doing can take away."""
    sizes = talk.sizes(tokens_at(ratio_for(window_tokens)))
    frame = sizes.tokens_of(PAIR_FRAME_BYTES)
    room = budgets(POLICY, window_tokens, overhead_tokens, frame)
    items = talk.see().items
    newest = [node.id for node in talk.session.path if node.is_prompt][-1]
    match refusal.kind:
        case "nothing_to_compact":
            opening = [item for item in items if isinstance(item, SummaryPair | CutTurn)]
            assert len(items) - len(opening) <= 1
        case "tail_too_large":
            pins = POLICY.pins_tokens(window_tokens, overhead_tokens)
            assert sizes.entry(newest) > room.most_keep_tokens - pins
        case "pins_too_large":
            assert any(node.type == "pin" for node in talk.session.path)
        case "no_room":
            assert room.most_keep_tokens <= 0


@given(
    st.lists(
        st.tuples(
            ANY_TURN, st.sampled_from(("go on", "compact", "undo or redo", "edit", "pin", "branch")), st.integers(0, 99)
        ),
        max_size=8,
    )
)
@settings(max_examples=800)
def test_nothing_is_lost_by_any_series_of_prompts_compactions_edits_undos_pins_and_branches(
    acts: list[tuple[Turn, str, int]],
) -> None:
    talk = Conversation(8_000)
    tokens_of = tokens_at(1.0)
    for turn, act, number in acts:
        talk.play(turn)
        session = talk.session
        compactions = [node.id for node in session.path if node.type == "compaction"]
        match act:
            case "compact":
                talk.compact(tokens_of, 8_000, 500)
            case "undo or redo" if compactions:
                lenses = [node.id for node in session.path if node.type.startswith("compaction")]
                session.append(CompactionRevertEntry(target_id=lenses[number % len(lenses)]))
            case "edit" if compactions:
                old = session.lookup(compactions[-1])
                session.append(old.model_copy(update={"summary": "edited", "supersedes": old.id}))
            case "pin":
                talk.pin(number)
            case "branch":
                session.tree.move_to([*session.tree.nodes][number % len(session.tree.nodes)])
                session.prompt("on another branch")
            case _:
                pass
        path = session.path
        sequence = effective(path, session.lookup)
        fate = fates(path, sequence)
        assert set(fate) == {node.id for node in path if node.type in CONTENT_TYPES}
        assert fate[[node.id for node in path if node.is_prompt][-1]] == "verbatim"
        if sequence.cut is None:
            assert set(fate.values()) <= {"verbatim", "digest"}


def test_an_entry_does_not_grow_with_what_it_covers() -> None:
    sizes: list[int] = []
    for turns_played in (20, 200, 1_000):
        talk = Conversation(96_000)
        for _ in range(turns_played):
            talk.play(Turn(0.001, (Step(0.001, (0.01, 0.002)),)))
        made = talk.compact(tokens_at(3.0), 32_000, 4_000)
        assert isinstance(made, CompactionEntry)
        sizes.append(len(json.dumps(encode_entry(made))))
        assert len(made.details.read_files) <= 200
        assert len(made.details.modified_files) <= 200
    assert max(sizes) <= 60_000
    assert sizes[2] <= sizes[1] * 1.2


def test_a_turn_five_times_the_window_comes_down_to_its_prompt_and_its_end() -> None:
    talk = Conversation(32_000 * 3)
    talk.play(Turn(0.01, tuple(Step(0.01, (0.1,)) for _ in range(50))))
    made = talk.compact(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(made, CompactionEntry)
    first, second, *rest = talk.see().items
    assert isinstance(first, SummaryPair)
    assert isinstance(second, CutTurn)
    assert second.prefix_summary
    assert rest
    check(talk, 32_000, 4_000)


@pytest.mark.parametrize("share", [HUGE, 1.5])
def test_one_huge_result_is_squeezed_and_its_call_stays(share: float) -> None:
    talk = Conversation(32_000 * 3)
    talk.play(Turn(0.01, (Step(0.01, (share,)),)))
    talk.play(Turn(0.01, (Step(0.01, (share,)),)))
    plan = talk.plan(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(plan, Plan)
    assert len(plan.squeeze.items) == 1
    made = talk.compact(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(made, CompactionEntry)
    check(talk, 32_000, 4_000)
    assert not isinstance(talk.see().items[-2], CutTurn)


def test_a_step_too_large_to_stay_is_covered_and_only_the_prompt_is_left() -> None:
    talk = Conversation(8_000 * 3)
    talk.play(Turn(0.01, (Step(0.6, (0.01,)),)))
    made = talk.compact(tokens_at(3.0), 8_000, 4_000)
    assert isinstance(made, CompactionEntry)
    assert [type(item) for item in talk.see().items] == [SummaryPair, CutTurn]
    check(talk, 8_000, 4_000)
    talk.step(Step(0.01, (0.01,)))
    assert isinstance(talk.see().items[-1], Verbatim)


def test_at_least_half_of_a_short_talk_is_summarised() -> None:
    talk = Conversation(32_000 * 3)
    for _ in range(6):
        talk.play(Turn(0.001, (Step(0.001, (0.005,)),)))
    plan = talk.plan(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(plan, Plan)
    assert plan.cut.covered_tokens + plan.cut.kept_tokens < plan.budgets.keep_tokens
    assert plan.cut.covered_tokens >= plan.cut.kept_tokens


def test_the_user_may_keep_more_than_we_would_as_long_as_a_request_fits() -> None:
    talk = Conversation(32_000 * 3)
    for _ in range(8):
        talk.play(Turn(0.001, (Step(0.001, (0.1,)),)))
    sizes, items = talk.sizes(tokens_at(3.0)), talk.see().items
    first = plan_compaction(items, sizes, POLICY, 32_000, 4_000)
    assert isinstance(first, Plan)
    generous = next(cut for cut in first.cuts if not cut.is_inside_turn and cut.kept_tokens < 14_500)
    assert generous.kept_tokens > first.cut.kept_tokens
    chosen = plan_compaction(items, sizes, POLICY, 32_000, 4_000, cut_at=generous)
    assert isinstance(chosen, Plan)
    assert chosen.cut == generous
    too_much = plan_compaction(items, sizes, POLICY, 32_000, 4_000, cut_at=first.cuts[0])
    assert isinstance(too_much, Refusal)
    assert too_much.over_tokens > 0


def test_too_many_pins_are_refused_by_name() -> None:
    talk = Conversation(32_000 * 3)
    for _ in range(6):
        talk.play(Turn(0.1, (Step(0.001, ()),)))
    for place in range(0, 10, 2):
        talk.pin(place)
    made = talk.compact(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(made, Refusal)
    assert made.kind == "pins_too_large"


def going_on() -> tuple[Conversation, list[str], Plan]:
    """A talk that was compacted and went on, what its summary covers, and the plan for the next."""
    talk = Conversation(32_000 * 3)
    talk.play(Turn(0.001, (Step(0.2, (0.1,)),)))
    talk.play(Turn(0.001, (Step(0.1, (0.1,)),)))
    made = talk.compact(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(made, CompactionEntry)
    for _ in range(3):
        talk.play(Turn(0.001, (Step(0.1, (0.1,)),)))
    covered = [node.id for node in talk.session.path if node.type == "message"]
    plan = plan_compaction(talk.see().items, talk.sizes(tokens_at(3.0)), POLICY, 32_000, 4_000)
    assert isinstance(plan, Plan)
    return talk, covered[: covered.index(made.first_kept_entry_id)], plan


def test_facts_made_from_the_log_are_those_that_the_ledgers_carried_on() -> None:
    talk, covered, plan = going_on()
    sizes = talk.sizes(tokens_at(3.0))
    earlier = [talk.session.lookup(entry_id) for entry_id in covered]
    parsed, logged = facts_for(plan, sizes, POLICY), facts_for(plan, sizes, POLICY, earlier)
    assert {words.entry_id for words in logged.words} == {words.entry_id for words in parsed.words}
    assert set(logged.read + logged.changed) == set(parsed.read + parsed.changed)
    assert {error.text for error in logged.errors} == {error.text for error in parsed.errors}
    assert len(logged.words) > 1


def test_facts_are_made_without_all_of_a_long_session_in_memory() -> None:
    talk, covered, plan = going_on()
    read: list[weakref.ref[Entry]] = []
    alive: list[int] = []

    def read_anew() -> Iterator[Entry]:
        for entry_id in covered * 20:
            entry = talk.session.lookup(entry_id).model_copy()
            read.append(weakref.ref(entry))
            alive.append(sum(known() is not None for known in read))
            yield entry

    facts_for(plan, talk.sizes(tokens_at(3.0)), POLICY, read_anew())
    assert len(alive) >= 40
    assert max(alive) <= 2


def test_a_compaction_that_saves_nothing_is_known() -> None:
    talk = Conversation(32_000 * 3)
    talk.play(Turn(0.0, (Step(0.0, ()),)))
    talk.play(Turn(0.0, ()))
    plan = talk.plan(tokens_at(3.0), 32_000, 4_000)
    assert isinstance(plan, Plan)
    sizes = talk.sizes(tokens_at(3.0))
    facts = facts_for(plan, sizes, POLICY)
    made = compaction_entry(plan, facts, sizes, POLICY, "notes " * 90, "", strategy="summarize", reason="manual")
    assert not shrinks(plan, made, POLICY)


def test_what_a_model_tells_of_a_turn_is_cut_to_its_newest_lines() -> None:
    talk = Conversation(32_000 * 3)
    talk.play(Turn(0.01, tuple(Step(0.01, (0.1,)) for _ in range(12))))
    plan, sizes = talk.plan(tokens_at(3.0), 32_000, 4_000), talk.sizes(tokens_at(3.0))
    assert isinstance(plan, Plan)
    told = "\n".join(f"- step {number} " + "and so on " * 20 for number in range(90))
    facts = facts_for(plan, sizes, POLICY)
    made = compaction_entry(plan, facts, sizes, POLICY, "notes", told, strategy="summarize", reason="manual")
    assert made.turn_prefix is not None
    assert made.turn_prefix.summary.endswith(told[-200:].strip())
    assert sizes.text(made.turn_prefix.summary) <= plan.budgets.prefix_tokens
