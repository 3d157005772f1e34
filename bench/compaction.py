"""What it costs to plan: pruning, a compaction and the request that follows, against one pass over the same text.

The path has 5,000 entries and 200,000 tokens. One pass is what every request takes anyway: all of the path is made into
messages and counted. Both are taken in turns in one run, so that the ratio says how many requests a compaction is.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bench.frame import Measure, at_most, cpu_of, least
from diligent_tui.agent.measure import message_bytes
from diligent_tui.agent.requests import build_messages
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import compaction_entry, facts_for, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.pruning import plan_pruning, with_pruned
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.domain.entries import Entry, MessageEntry, PruneEntry
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import (
    AssistantMessage,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.session.effective import EffectiveFold, effective
from diligent_tui.session.tree import Node, node_of

ENTRIES = 5_000
TOKENS = 200_000
BYTES_PER_TOKEN = 3
MOST_PASSES = 5.0
WINDOW_TOKENS = 220_000
SEED = 11
ARGUMENT_CHARS = 42
"""An entry's share of what calls are told."""
TEXTS_SHARE = 25 / 29
MODEL = Model("bench", "planner", WINDOW_TOKENS, 8_000)
VERBS = ("load", "merge", "render", "check", "flush")
NOUNS = ("order", "ledger", "session", "parser", "cache", "schema")


def run(quick: bool) -> list[Measure]:
    """Measure planning, pruning and rebuilding against one pass."""
    entries = ENTRIES // 10 if quick else ENTRIES
    path = Path.make(entries, TOKENS * entries // ENTRIES)
    rounds = 3 if quick else 7
    planning_s, pass_s = least([lambda: cpu_of(path.plan_all), lambda: cpu_of(path.read_once)], rounds)
    return [at_most(f"planning {entries:,} entries ÷ one pass over their text", planning_s / pass_s, "×", MOST_PASSES)]


@dataclass(frozen=True, slots=True)
class Path:
    """A long path, ready to be planned for."""

    entries: dict[str, Entry]
    nodes: tuple[Node, ...]

    @classmethod
    def make(cls, count: int, tokens: int) -> "Path":
        """A path of so many entries and about so many tokens: turns of a prompt and twelve calls."""
        chance = random.Random(SEED)
        # Arguments of calls come on top of the texts.
        share_chars = int((tokens * BYTES_PER_TOKEN / count - ARGUMENT_CHARS) * TEXTS_SHARE)
        found: dict[str, Entry] = {}
        for number in range(count):
            entry_id, before = f"{number:08x}", f"{number - 1:08x}" if number else None
            message = _message(number, share_chars, chance)
            found[entry_id] = MessageEntry(id=entry_id, parent_id=before, message=message)
        return cls(found, tuple(map(node_of, found.values())))

    def plan_all(self) -> None:
        """All that is done for one compaction but asking a model, and the request that comes after it."""
        lookup = self.entries.__getitem__
        policy = CompactionPolicy()
        sizes = Sizes(lookup, partial(Estimator().tokens, MODEL.id), (MODEL.provider, MODEL.name))
        items = effective(self.nodes, lookup).items
        tokens = sum(sizes.items(items))
        pruned = plan_pruning(items, sizes, policy, WINDOW_TOKENS, tokens, is_forced=True)
        items = tuple(with_pruned(items, pruned))
        plan = plan_compaction(items, sizes, policy, WINDOW_TOKENS, 0)
        if isinstance(plan, Refusal):
            raise ValueError(plan.message)
        facts = facts_for(plan, sizes, policy)
        entry = compaction_entry(plan, facts, sizes, policy, "notes", "", strategy="bench", reason="bench")
        last = self.nodes[-1]
        saved: Sequence[Entry] = (
            PruneEntry(id="prune", parent_id=last.id, items=pruned.items),
            entry.model_copy(update={"id": "compaction", "parent_id": "prune"}),
        )
        known = {**self.entries, **{each.id: each for each in saved}}
        fold = EffectiveFold([*self.nodes, *map(node_of, saved)], known.__getitem__)
        build_messages(fold.items, known.__getitem__, MODEL)

    def read_once(self) -> None:
        """The pass that it is held against."""
        lookup = self.entries.__getitem__
        messages = build_messages(effective(self.nodes, lookup).items, lookup, MODEL)
        sum(map(message_bytes, messages))


def _message(number: int, chars: int, chance: random.Random) -> UserMessage | AssistantMessage | ToolResultMessage:
    turn, step = divmod(number, 25)
    if step == 0:
        return UserMessage(content=f"Please look at part {turn}. {_prose(chars, chance)}")
    path = f"src/{chance.choice(NOUNS)}/{chance.choice(VERBS)}_{turn % 40}.py"
    call_id = f"call_{turn}_{(step + 1) // 2}"
    if step % 2:
        name = chance.choice(("read", "edit", "bash"))
        told: JsonObject = {"command": f"python -m pytest {path} -k {chance.choice(NOUNS)}"}
        there: JsonObject = {"path": path, "note": _prose(36, chance)}
        call = ToolCallBlock(id=call_id, name=name, input=told if name == "bash" else there)
        return AssistantMessage(content=(TextBlock(text=_prose(chars // 3, chance)), call))
    return ToolResultMessage(tool_call_id=call_id, tool_name="read", output=_code(2 * chars, chance))


def _prose(chars: int, chance: random.Random) -> str:
    words = [chance.choice((*NOUNS, *VERBS, "the", "with", "must", "not")) for _ in range(chars // 6)]
    return f"{' '.join(words)} `{chance.choice(VERBS)}_{chance.choice(NOUNS)}`."


def _code(chars: int, chance: random.Random) -> str:
    lines = [
        f"    {chance.choice(NOUNS)} = {chance.choice(VERBS)}_{chance.choice(NOUNS)}(value)" for _ in range(chars // 36)
    ]
    return "\n".join([*lines, f"ValueError: no {chance.choice(NOUNS)}" if chance.random() < 0.1 else "done"])
