"""Old outputs become digests, in batches that are worth it, and nothing else is touched."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import (
    DIGEST_MARK,
    NOTHING_TO_PRUNE,
    PrunePlan,
    pins_on,
    plan_pruning,
    plan_squeeze,
    with_pruned,
)
from diligent_tui.domain.entries import MessageEntry, PruneEntry
from diligent_tui.domain.messages import AssistantMessage, ImageBlock, TextBlock, ToolCallBlock, ToolResultMessage
from diligent_tui.session.effective import Digested, Verbatim
from tests.strategies.conversations import POLICY, Conversation, Step, Turn, tokens_at, turns

WINDOW = 30_000
TOKENS_OF = tokens_at(3.0)


def talk_of(*played: Turn) -> Conversation:
    talk = Conversation(WINDOW * 3)
    for turn in played:
        talk.play(turn)
    return talk


def prune(talk: Conversation, context_tokens: int | None = None, **options: bool | frozenset[str]) -> PrunePlan:
    sizes = talk.sizes(TOKENS_OF)
    items = talk.see().items
    size = sum(sizes.items(items)) if context_tokens is None else context_tokens
    exempt, forced = options.get("exempt", frozenset[str]()), options.get("forced", False)
    assert isinstance(exempt, frozenset)
    pinned = pins_on(talk.session.path, talk.session.lookup)
    return plan_pruning(items, sizes, POLICY, WINDOW, size, pinned=pinned, exempt_tools=exempt, is_forced=bool(forced))


def result_ids(talk: Conversation) -> list[str]:
    return [node.id for node in talk.session.path if node.role == "tool_result"]


LONG = Turn(0.001, tuple(Step(0.001, (0.05,)) for _ in range(18)))
"""One turn of eighteen outputs, 90 % of the window."""


def test_one_long_agentic_turn_is_pruned_but_for_its_newest_fifth() -> None:
    talk = talk_of(LONG)
    plan = prune(talk)
    pruned = [item.target_id for item in plan.items]
    ids = result_ids(talk)
    assert pruned == ids[: len(pruned)]
    # A fifth of the window holds three of these outputs with their answers.
    assert len(ids) - len(pruned) == 3
    digests = [item.digest.startswith(DIGEST_MARK) for item in plan.items]
    assert digests == [True] * (len(pruned) - 6) + [False] * 6
    assert plan.tokens_saved >= WINDOW * 0.1


@pytest.mark.parametrize(("share", "is_pruned"), [(0.79, False), (0.81, True)])
def test_pruning_waits_for_four_fifths_of_the_window(share: float, is_pruned: bool) -> None:
    assert bool(prune(talk_of(LONG), int(WINDOW * share)).items) == is_pruned


def test_a_batch_that_frees_too_little_is_not_made_unless_it_is_asked_for() -> None:
    talk = talk_of(Turn(0.7, (Step(0.001, (0.06,)), Step(0.001, (0.1, 0.1)))))
    assert prune(talk) == NOTHING_TO_PRUNE
    assert len(prune(talk, forced=True).items) == 1


def test_a_small_gain_far_back_is_not_worth_what_must_be_sent_anew_for_it() -> None:
    few = tuple(Step(0.001, (0.06,)) for _ in range(3))
    talk = talk_of(Turn(0.001, few), *(Turn(0.12, ()) for _ in range(6)))
    assert prune(talk) == NOTHING_TO_PRUNE
    assert len(prune(talk, forced=True).items) > 0


def test_a_batch_begins_where_it_frees_most_for_what_is_sent_anew() -> None:
    talk = talk_of(Turn(0.001, (Step(0.001, (0.01,)),)), Turn(0.3, ()), LONG)
    pruned = [item.target_id for item in prune(talk).items]
    assert result_ids(talk)[0] not in pruned
    assert result_ids(talk)[1] in pruned


def test_the_last_two_results_stay_however_long_they_are() -> None:
    talk = talk_of(Turn(0.001, (Step(0.001, (0.3,)), Step(0.001, (0.3,)), Step(0.001, (0.3,)))))
    assert [item.target_id for item in prune(talk).items] == result_ids(talk)[:1]


def test_two_short_turns_are_spared() -> None:
    talk = talk_of(LONG, Turn(0.001, (Step(0.001, (0.04,)),)), Turn(0.001, (Step(0.001, (0.04, 0.04)),)))
    assert not {item.target_id for item in prune(talk).items} & set(result_ids(talk)[-3:])


def test_pinned_and_exempt_outputs_stay() -> None:
    talk = talk_of(LONG)
    content = [node.id for node in talk.session.path if node.type == "message"]
    talk.pin(content.index(result_ids(talk)[0]))
    plan = prune(talk, exempt=frozenset({"bash"}))
    assert len(plan.items) > 6
    assert result_ids(talk)[0] not in {item.target_id for item in plan.items}
    assert not any(item.digest.startswith(f"{DIGEST_MARK}bash") for item in plan.items)
    assert set(plan.tools) == {"read", "edit"}


def test_a_trimmed_output_keeps_its_ends_and_says_how_to_have_it_whole() -> None:
    talk = talk_of(LONG)
    item = prune(talk).items[-1]
    entry = talk.session.lookup(item.target_id)
    assert isinstance(entry, MessageEntry)
    assert isinstance(entry.message, ToolResultMessage)
    output = str(entry.message.output)
    assert item.digest.startswith(output[:1_500])
    assert item.digest.endswith(output[-1_500:])
    assert f'recall("{item.target_id}")' in item.digest
    assert f"{len(output) - 3_000:,} characters" in item.digest


def test_what_was_trimmed_once_becomes_a_digest_later_and_a_digest_stays() -> None:
    talk = talk_of(LONG)
    first = prune(talk)
    talk.session.append(PruneEntry(items=first.items))
    talk.play(LONG)
    second = prune(talk)
    trimmed = {item.target_id for item in first.items if not item.digest.startswith(DIGEST_MARK)}
    again = {item.target_id: item.digest for item in second.items if item.target_id in trimmed}
    assert again
    assert all(digest.startswith(DIGEST_MARK) for digest in again.values())
    final = {item.target_id for item in first.items} - trimmed
    assert not final & {item.target_id for item in second.items}


def test_images_become_a_placeholder() -> None:
    talk = talk_of()
    talk.session.prompt("look")
    call = ToolCallBlock(id="c", name="read", input={"path": "a.png"})
    talk.session.append(MessageEntry(message=AssistantMessage(content=(call,))))
    image = ImageBlock(source={"type": "file", "path": "images/0"})
    blocks = (TextBlock(text="a picture"), image, image)
    shown = talk.session.append(
        MessageEntry(message=ToolResultMessage(tool_call_id="c", tool_name="read", output=blocks))
    )
    talk.play(Turn(0.001, (Step(0.3, (0.001, 0.001)),)))
    (item,) = prune(talk, forced=True).items
    assert item.target_id == shown.id
    assert item.digest.startswith("a picture\n")
    assert item.digest.count("an image stood here") == 2


@given(st.lists(turns(), min_size=1, max_size=5), st.booleans())
@settings(max_examples=150)
def test_only_results_are_ever_touched_and_what_is_promised_is_freed(played: list[Turn], forced: bool) -> None:
    talk = talk_of(*played)
    sizes = talk.sizes(TOKENS_OF)
    before = talk.see().items
    plan = prune(talk, forced=forced)
    results = result_ids(talk)
    targets = [item.target_id for item in plan.items]
    assert set(targets) <= set(results[: max(0, len(results) - POLICY.protected_results)])
    assert len(targets) == len(set(targets))
    if plan.items:
        talk.session.append(PruneEntry(items=plan.items))
    after = talk.see().items
    assert list(after) == with_pruned(before, plan)
    assert sum(sizes.items(before)) - sum(sizes.items(after)) == plan.tokens_saved
    assert forced or not plan.items or plan.tokens_saved >= WINDOW * 0.1
    for old, new in zip(before, after, strict=True):
        assert new == old or (
            isinstance(old, Verbatim) and new == Digested(old.entry_id, _digest_of(plan, old.entry_id))
        )


def _digest_of(plan: PrunePlan, entry_id: str) -> str:
    return next(item.digest for item in plan.items if item.target_id == entry_id)


@given(st.lists(turns(), min_size=1, max_size=3), st.integers(1, 60_000))
@settings(max_examples=150)
def test_a_squeeze_frees_what_it_says_and_no_more_outputs_than_it_must(played: list[Turn], must_free: int) -> None:
    talk = talk_of(*played)
    sizes = talk.sizes(TOKENS_OF)
    before = talk.see().items
    plan = plan_squeeze(before, sizes, CompactionPolicy(), must_free)
    after = with_pruned(before, plan)
    assert sum(sizes.items(before)) - sum(sizes.items(after)) == plan.tokens_saved
    if plan.tokens_saved < must_free:
        # All that can become shorter has become a digest.
        again = plan_squeeze(after, sizes, CompactionPolicy(), must_free)
        assert again.tokens_saved == 0
