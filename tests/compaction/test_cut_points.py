"""Cuts never part a call from its result, keep turns whole where they can, and leave the newest prompt."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from diligent_tui.agent.requests import build_messages
from diligent_tui.compaction.cut_points import CutPoint, choose_cut, legal_cuts, moved
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.domain.entries import CompactionEntry, PruneEntry, TurnPrefix
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Text
from diligent_tui.session.effective import Effective, Verbatim, effective, fates
from tests.strategies.conversations import Conversation, Turn, tokens_at, turns
from tests.strategies.conversations import Step as Answer
from tests.strategies.sessions import STEPS, RandomSession, Step

BYTES = tokens_at(1.0)
MODEL = Model("anthropic", "claude-a", sees_images=True)


def cuts_of(session: RandomSession) -> tuple[CutPoint, ...]:
    sizes = Sizes(session.lookup, BYTES, ("anthropic", "claude-a"))
    return legal_cuts(effective(session.path, session.lookup).items, sizes)


@given(STEPS)
@example([(2, 0, 1), (2, 0, 0), (5, 0, 0)])
@settings(max_examples=500)
def test_no_cut_parts_a_call_from_its_result_and_each_leaves_the_newest_prompt(steps: list[Step]) -> None:
    session = RandomSession()
    for step in steps:
        session.play(step)
    before = effective(session.path, session.lookup)
    leaf = session.tree.leaf_id
    for cut in cuts_of(session):
        session.tree.move_to(leaf)
        anchor = session.append(PruneEntry(items=())).id
        prefix = TurnPrefix(prompt_id=cut.prompt_id, summary="so far") if cut.prompt_id else None
        entry = CompactionEntry(summary="notes", first_kept_entry_id=cut.first_kept_id or anchor, turn_prefix=prefix)
        session.append(entry)
        path = session.path
        after = effective(path, session.lookup)
        fate = fates(path, after)
        prompts = [node.id for node in path if node.is_prompt]
        assert not prompts or fate[prompts[-1]] == "verbatim"
        assert [item for item in after.items if item in before.items][-1:] == list(before.items[cut.position :][-1:])
        assert _orphans(after, session) <= _orphans(before, session)


def _orphans(sequence: Effective, session: RandomSession) -> int:
    """Results that the request has to tell as text, for their call is not the last answer's."""
    messages = build_messages(sequence.items, session.lookup, MODEL)
    parts = [part for message in messages for part in message.parts if isinstance(part, Text)]
    return sum(part.text.startswith("[result of an earlier call") for part in parts)


@given(st.lists(turns(), min_size=1, max_size=4), st.integers(0, 40_000))
@settings(max_examples=150)
def test_the_chosen_cut_keeps_what_fits_and_says_what_it_costs(played: list[Turn], keep_tokens: int) -> None:
    talk = Conversation(30_000)
    for turn in played:
        talk.play(turn)
    sizes = talk.sizes(BYTES)
    items = talk.see().items
    cuts = legal_cuts(items, sizes)
    total = sum(sizes.items(items))
    assert all(cut.covered_tokens + cut.kept_tokens == total for cut in cuts)
    assert [cut.position for cut in cuts] == sorted({cut.position for cut in cuts})
    chosen = choose_cut(cuts, keep_tokens)
    if chosen is None:
        assert not cuts
        return
    if any(cut.kept_tokens <= keep_tokens and not cut.keeps_prompt_only for cut in cuts):
        assert chosen.kept_tokens <= keep_tokens
        assert not chosen.keeps_prompt_only
        longer = [cut for cut in cuts if chosen.kept_tokens < cut.kept_tokens <= keep_tokens]
        assert all(cut.is_inside_turn for cut in longer)


SMALL, LARGE = Turn(0.0, (Answer(0.05, ()),)), Turn(0.0, tuple(Answer(0.05, (0.05,)) for _ in range(10)))


@pytest.mark.parametrize(
    ("played", "keep_share", "is_inside", "kept_turns"),
    [
        ((SMALL, SMALL, SMALL), 0.12, False, 2),
        ((SMALL, SMALL, SMALL), 0.06, False, 1),
        ((SMALL, LARGE), 0.5, True, 0),
        ((SMALL, LARGE, SMALL), 0.5, True, 1),
        ((LARGE, SMALL, SMALL), 2.0, False, 2),
    ],
)
def test_turns_stay_whole_unless_one_is_larger_than_the_tail(
    played: tuple[Turn, ...], keep_share: float, is_inside: bool, kept_turns: int
) -> None:
    talk = Conversation(30_000)
    for turn in played:
        talk.play(turn)
    items = talk.see().items
    cut = choose_cut(legal_cuts(items, talk.sizes(BYTES)), int(30_000 * keep_share))
    assert cut is not None
    assert cut.is_inside_turn == is_inside
    nodes = {node.id: node for node in talk.session.path}
    kept = [nodes[item.entry_id] for item in items[cut.position :] if isinstance(item, Verbatim)]
    assert sum(node.is_prompt for node in kept) == kept_turns


def test_one_prompt_alone_has_nothing_before_any_cut() -> None:
    session = RandomSession()
    session.prompt("hello")
    assert cuts_of(session) == ()
    assert choose_cut((), 100) is None


def test_the_cut_moves_up_and_down_and_stops_at_the_ends() -> None:
    talk = Conversation(3_000)
    for _ in range(3):
        talk.play(SMALL)
    cuts = legal_cuts(talk.see().items, talk.sizes(BYTES))
    assert [cut.keeps_prompt_only for cut in cuts] == [False, False, True]
    assert moved(cuts, cuts[0], 1) is cuts[1]
    assert moved(cuts, cuts[1], -9) is cuts[0]
    assert moved(cuts, cuts[1], 9) is cuts[2]
