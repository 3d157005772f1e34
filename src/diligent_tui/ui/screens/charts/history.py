"""The figures of a path from its log: what each request and each turn came to, and where memory was changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from diligent_tui.agent.costs import cost_of
from diligent_tui.domain.entries import CompactionRevertEntry, Entry, MessageEntry, ModelChangeEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.domain.usage import Usage
from diligent_tui.session.tree import Node
from diligent_tui.ui.widgets.chart import Mark, MarkKind

Read = Callable[[str], Entry]
FindModel = Callable[[str], Model | None]
TELL_EVERY = 500


@dataclass(slots=True)
class Turn:
    """What was asked once, and what it took; a cost is None where a price is unknown."""

    entry_id: str
    first_request: int
    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    context_tokens: int = 0

    @property
    def cache_percent(self) -> float | None:
        """How much of what was sent came from the cache."""
        sent = self.usage.prompt_tokens
        return 100 * self.usage.cache_read_tokens / sent if sent else None


@dataclass(frozen=True, slots=True)
class PathHistory:
    """A path in figures: tokens in the context after each request, turns, and marks before requests."""

    context_tokens: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()
    marks: tuple[Mark, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    known_cost: float = 0.0
    """Of those requests whose price is known."""

    def count(self, kind: MarkKind) -> int:
        """How many marks there are of a kind."""
        return sum(mark.kind == kind for mark in self.marks)

    def requests_of(self, turn: int) -> range:
        """The requests of a turn."""
        chosen = self.turns[turn]
        return range(chosen.first_request, chosen.first_request + chosen.requests)


def read_history(
    path: Sequence[Node], read: Read, find_model: FindModel, tell: Tell = tell_nobody, *, next_model_id: str = ""
) -> PathHistory:
    """Read what a path's figures are in, and nothing else of it; slow for a long one: call it in a thread.

    `next_model_id` is the model that the next request goes to, which the log names only then.
    """
    return _Reading(read, find_model).take(path, next_model_id, tell)


def read_or_none(read: Read, entry_id: str) -> Entry | None:
    """An entry; None if it cannot be read any more."""
    try:
        return read(entry_id)
    except (KeyError, StorageError):
        return None


class _Reading:
    """Adds up a path, entry by entry."""

    def __init__(self, read: Read, find_model: FindModel) -> None:
        self._read = read
        self._find_model = find_model
        self._models: dict[str, Model | None] = {}
        self._model_id = ""
        self._names_models = False
        self._undo_ids: set[str] = set()
        self._tokens: list[int] = []
        self._turns: list[Turn] = []
        self._marks: list[Mark] = []
        self._cost: float | None = 0.0
        self._known_cost = 0.0

    def take(self, path: Sequence[Node], next_model_id: str, tell: Tell) -> PathHistory:
        for number, node in enumerate(path):
            if number % TELL_EVERY == 0:
                tell(number, len(path))
            self._take_node(node)
        if next_model_id:
            self._take_model(next_model_id)
        usage = sum((turn.usage for turn in self._turns), Usage())
        figures = tuple(self._tokens), tuple(self._turns), tuple(self._marks)
        return PathHistory(*figures, usage, self._cost, self._known_cost)

    def _take_node(self, node: Node) -> None:
        if node.is_prompt:
            self._turns.append(Turn(node.id, len(self._tokens)))
        elif node.role == "assistant":
            self._take_answer(node.id)
        # Another version of the same summary is no compaction.
        elif node.is_compaction:
            self._mark("compaction")
        elif node.type == "prune":
            self._mark("prune")
        elif node.type == "compaction_revert":
            self._take_revert(node.id)
        elif node.type == "model_change":
            self._take_model_change(node.id)

    def _mark(self, kind: MarkKind) -> None:
        self._marks.append(Mark(len(self._tokens), kind))

    def _take_revert(self, entry_id: str) -> None:
        """A revert that is aimed at another takes that back."""
        entry = read_or_none(self._read, entry_id)
        if isinstance(entry, CompactionRevertEntry) and entry.target_id in self._undo_ids:
            self._mark("redo")
        else:
            self._undo_ids.add(entry_id)
            self._mark("undo")

    def _take_model_change(self, entry_id: str) -> None:
        entry = read_or_none(self._read, entry_id)
        if isinstance(entry, ModelChangeEntry):
            self._names_models = True
            self._take_model(f"{entry.provider}/{entry.model_id}")

    def _take_model(self, model_id: str) -> None:
        if self._model_id and model_id != self._model_id:
            self._mark("model")
        self._model_id = model_id

    def _take_answer(self, entry_id: str) -> None:
        match read_or_none(self._read, entry_id):
            case MessageEntry(message=AssistantMessage(usage=Usage() as usage) as message):
                model_id = f"{message.provider}/{message.model}"
                if not self._names_models:
                    self._take_model(model_id)
                self._count(usage, self._price(usage, model_id))
            case _:
                pass

    def _count(self, usage: Usage, cost: float | None) -> None:
        if not self._turns:
            self._turns.append(Turn("", 0))
        self._tokens.append(usage.context_tokens)
        turn = self._turns[-1]
        turn.requests += 1
        turn.usage += usage
        turn.cost = None if turn.cost is None or cost is None else turn.cost + cost
        turn.context_tokens = usage.context_tokens
        self._cost = None if self._cost is None or cost is None else self._cost + cost
        self._known_cost += cost or 0.0

    def _price(self, usage: Usage, model_id: str) -> float | None:
        if model_id not in self._models:
            self._models[model_id] = self._find_model(model_id)
        model = self._models[model_id]
        return cost_of(usage, model) if model else None
