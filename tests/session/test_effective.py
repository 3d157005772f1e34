"""The effective sequence loses nothing, and the fold always agrees with the full recompute."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings

from diligent_tui.domain.entries import (
    CONTENT_TYPES,
    CompactionEntry,
    Entry,
    OtherEntry,
    PruneEntry,
    PruneItem,
    decode_entry,
    encode_entry,
)
from diligent_tui.session.effective import (
    CutTurn,
    Digested,
    Effective,
    EffectiveFold,
    SummaryPair,
    Verbatim,
    effective,
    fates,
)
from diligent_tui.session.tree import node_of
from diligent_tui.storage.jsonl import encode_line, parse_line
from tests.strategies.sessions import ACTS, STEPS, RandomSession, Step


@given(STEPS)
@settings(max_examples=1500, deadline=None)
def test_the_fold_equals_the_full_recompute_after_every_entry(steps: list[Step]) -> None:
    session = RandomSession()
    fold = EffectiveFold([], session.lookup)
    for step in steps:
        entry = session.play(step)
        if entry is None:
            fold = EffectiveFold(session.path, session.lookup)
        else:
            fold.push(node_of(entry))
        whole = effective(session.path, session.lookup)
        assert (tuple(fold.items), fold.cut) == (whole.items, whole.cut)


@given(STEPS)
@settings(max_examples=1500, deadline=None)
def test_every_message_has_a_fate_and_the_newest_prompt_stands_verbatim(steps: list[Step]) -> None:
    session = RandomSession()
    for step in steps:
        session.play(step)
        path = session.path
        sequence = effective(path, session.lookup)
        fate = fates(path, sequence)
        assert set(fate) == {node.id for node in path if node.type in CONTENT_TYPES}
        if prompts := [node.id for node in path if node.is_prompt]:
            assert fate[prompts[-1]] == "verbatim"
        standing = [item.entry_id for item in sequence.items if isinstance(item, Verbatim | Digested)]
        assert len(standing) == len(set(standing))
        if sequence.cut is None:
            assert set(fate.values()) <= {"verbatim", "digest"}
        else:
            kept_from = next(place for place, node in enumerate(path) if node.id == path[sequence.cut.start].id)
            assert all(fate[node.id] in ("verbatim", "digest") for node in path[kept_from:] if node.id in fate)


class Story:
    """A session told in words: `say` appends entries and remembers them by name."""

    def __init__(self) -> None:
        self.session = RandomSession()
        self.ids: dict[str, str] = {}

    def act(self, name: str, act: str, first: int = 0, second: int = 1) -> str:
        entry = self.session.play((ACTS.index(act), first, second))
        assert entry is not None
        return self._keep(name, entry)

    def compact(self, name: str, kept: str, **fields: object) -> str:
        entry = CompactionEntry(summary=name, first_kept_entry_id=self.ids[kept]).model_copy(update=fields)
        return self._keep(name, self.session.append(entry))

    def _keep(self, name: str, entry: Entry) -> str:
        self.ids[name] = entry.id
        return entry.id

    def see(self) -> Effective:
        return effective(self.session.path, self.session.lookup)

    def active(self) -> str | None:
        cut = self.see().cut
        return cut.compaction.summary if cut else None


@pytest.fixture
def story() -> Story:
    """Three turns of prompt and answer."""
    story = Story()
    for number in (1, 2, 3):
        story.act(f"prompt {number}", "prompt")
        story.act(f"answer {number}", "answer", 0, 1)
    return story


def revert(story: Story, name: str, target: str) -> None:
    lenses = [node.id for node in story.session.path if node.type in ("compaction", "compaction_revert")]
    story.act(name, "revert", lenses.index(story.ids[target]))


def test_a_compaction_keeps_what_it_kept_and_what_came_after(story: Story) -> None:
    story.compact("first", "prompt 3")
    story.act("prompt 4", "prompt")
    ids = story.ids
    assert story.see().items == (
        SummaryPair(ids["first"], ()),
        Verbatim(ids["prompt 3"]),
        Verbatim(ids["answer 3"]),
        Verbatim(ids["prompt 4"]),
    )


def test_undo_brings_everything_back_and_redo_takes_it_away_again(story: Story) -> None:
    story.compact("first", "prompt 3")
    story.act("prompt 4", "prompt")
    revert(story, "undo", "first")
    assert story.active() is None
    revert(story, "redo", "undo")
    assert story.active() == "first"
    revert(story, "undo again", "redo")
    assert story.active() is None


def test_undo_reverts_the_whole_version_chain_and_brings_back_the_compaction_before_it(story: Story) -> None:
    story.compact("first", "prompt 2")
    story.compact("second", "prompt 3")
    story.compact("second, edited", "prompt 3", supersedes=story.ids["second"])
    assert story.active() == "second, edited"
    revert(story, "undo", "second, edited")
    assert story.active() == "first"


def test_a_version_saved_after_an_undo_is_live(story: Story) -> None:
    story.compact("first", "prompt 2")
    revert(story, "undo", "first")
    story.compact("first, edited", "prompt 2", supersedes=story.ids["first"])
    assert story.active() == "first, edited"


def test_a_compaction_that_names_an_entry_of_another_branch_is_passed_over(story: Story) -> None:
    story.act("broken", "broken_compact")
    assert story.active() is None


def test_a_cut_inside_a_turn_keeps_its_prompt(story: Story) -> None:
    story.compact("inside", "answer 3")
    assert story.see().items == (
        SummaryPair(story.ids["inside"], ()),
        CutTurn(story.ids["prompt 3"], ""),
        Verbatim(story.ids["answer 3"]),
    )


def test_pins_under_a_summary_are_quoted_in_the_order_of_the_path_and_unpins_take_them_away(story: Story) -> None:
    story.act("pin b", "pin", 2)
    story.act("pin a", "pin", 0)
    story.compact("first", "prompt 3")
    assert story.see().items[0] == SummaryPair(story.ids["first"], (story.ids["prompt 1"], story.ids["prompt 2"]))
    story.act("unpin a", "unpin", 0)
    assert story.see().items[0] == SummaryPair(story.ids["first"], (story.ids["prompt 2"],))


def test_a_pin_wins_over_a_prune_and_only_results_can_be_pruned(story: Story) -> None:
    story.act("result", "stray_result")
    result, prompt = story.ids["result"], story.ids["prompt 3"]
    items = (PruneItem(target_id=result, digest="short"), PruneItem(target_id=prompt, digest="no"))
    story.session.append(PruneEntry(items=items))
    assert story.see().items[-1] == Digested(result, "short")
    assert Verbatim(prompt) in story.see().items
    content = [node.id for node in story.session.path if node.type in CONTENT_TYPES]
    story.act("pin", "pin", content.index(result))
    assert story.see().items[-1] == Verbatim(result)


def test_a_prune_that_cannot_be_read_any_more_shows_the_output_rather_than_nothing(story: Story) -> None:
    story.act("result", "stray_result")
    prune = story.session.append(PruneEntry(items=(PruneItem(target_id=story.ids["result"], digest="short"),)))
    reads: Counter[str] = Counter()

    def decaying(entry_id: str) -> Entry:
        reads[entry_id] += 1
        is_lost = entry_id == prune.id and reads[entry_id] > 1
        return OtherEntry(type="prune", id=entry_id) if is_lost else story.session.lookup(entry_id)

    assert effective(story.session.path, decaying).items[-1] == Verbatim(story.ids["result"])


def test_a_fold_holds_no_digest_that_a_summary_covers(story: Story) -> None:
    lines: dict[str, bytes] = {}
    for number in range(50):
        story.act(f"result {number}", "stray_result")
        item = PruneItem(target_id=story.ids[f"result {number}"], digest=f"{number} " * 10_000)
        prune = story.session.append(PruneEntry(items=(item,)))
        lines[prune.id] = encode_line(encode_entry(prune))
    story.act("last prompt", "prompt")
    story.compact("first", "last prompt")

    def read_anew(entry_id: str) -> Entry:
        line = parse_line(lines[entry_id]) if entry_id in lines else None
        return story.session.lookup(entry_id) if line is None else decode_entry(line)

    tracemalloc.start()
    try:
        fold = EffectiveFold(story.session.path, read_anew)
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert fold.items == list(effective(story.session.path, read_anew).items)
    assert held_bytes < 200_000
