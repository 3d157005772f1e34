"""Makes the next request, and that of any earlier place, and says how large it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from diligent_tui.agent.conversation import Conversation, newest_entry
from diligent_tui.agent.ground import Ground
from diligent_tui.agent.measure import measure, overhead_of, request_bytes, request_images_tokens
from diligent_tui.agent.requests import build_messages, output_tokens
from diligent_tui.agent.standing import Standing
from diligent_tui.agent.switching import fitting_level
from diligent_tui.compaction.sizes import Overhead, Sizes
from diligent_tui.domain.entries import ModelChangeEntry, SystemPromptEntry
from diligent_tui.domain.events import ContextMeasured
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, ToolSpec
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.images import within_limits
from diligent_tui.session.effective import EffectiveFold, Item


@dataclass(slots=True)
class Requesting:
    """Requests of one session, all of them from its effective sequence."""

    conversation: Conversation
    standing: Standing
    ground: Ground
    tools: Callable[[], tuple[ToolSpec, ...]]
    known_model: Callable[[str], Model | None]
    _sizes: Sizes | None = field(default=None)

    def next(self, model: Model | None = None) -> Request:
        """The request that would be sent now, to the model in force or to another."""
        return self.of(self.conversation.fold.items, model or self.standing.model, self.conversation.system_prompt())

    def at(self, entry_id: str | None) -> tuple[Request, Sequence[Item]]:
        """The request that would be sent from an entry, and what it shows; slow for a long path."""
        store = self.conversation.store
        path = store.tree.path(entry_id)
        change = newest_entry(path, "model_change", store.read)
        named = f"{change.provider}/{change.model_id}" if isinstance(change, ModelChangeEntry) else ""
        system = newest_entry(path, "system_prompt", store.read)
        items = EffectiveFold(path, store.read).items
        model = (self.known_model(named) if named else None) or self.standing.model
        return self.of(items, model, system.text if isinstance(system, SystemPromptEntry) else None), items

    def of(self, items: Sequence[Item], model: Model, system: str | None) -> Request:
        """The request that shows these items to this model."""
        model = self.standing.windows.fitted(model)
        request = Request(
            model=model,
            system=self.system_prompt(model) if system is None else system,
            tools=self.tools(),
            messages=build_messages(items, self.conversation.store.entry, model),
            max_output_tokens=output_tokens(model),
            thinking=fitting_level(model, self.standing.thinking),
            cache_key=self.conversation.store.content.header.id,
        )
        return within_limits(request)

    def output_tokens(self, model: Model | None = None) -> int:
        """How long the next answer may be."""
        return output_tokens(self.standing.windows.fitted(model or self.standing.model))

    def system_prompt(self, model: Model | None = None) -> str:
        """The system prompt in force, or the one that would be written now."""
        model = model or self.standing.fitted_model
        return self.conversation.system_prompt() or self.ground.system_prompt_now(model)

    def sizes(self) -> Sizes:
        """Sizes of entries for the model in force; each entry is looked at once."""
        model = self.standing.model
        maker = (model.provider, model.name)
        known = self._sizes
        tokens_of = self.standing.tokens_of()
        if known is None or known.maker != maker:
            self._sizes = Sizes(self.conversation.store.entry, tokens_of, maker)
        else:
            self._sizes = known.for_ratio(tokens_of)
        return self._sizes

    def overhead(self) -> Overhead:
        """What every request holds before its first message."""
        return overhead_of(self.system_prompt(), self.tools(), self.standing.tokens_of())

    def measure(self) -> ContextMeasured:
        """How full the context is now."""
        return measure(
            self.conversation.fold, self.sizes(), self.overhead(), self.standing.window, self.standing.fitted_model
        )

    def learn(self, request: Request, usage: Usage) -> None:
        """Learn from a real count."""
        self.learn_tokens(request, usage.prompt_tokens)

    def learn_tokens(self, request: Request, tokens: int) -> None:
        """Learn from a count that somebody named; pictures are no text."""
        standing, words = self.standing, tokens - request_images_tokens(request)
        standing.estimator = standing.estimator.after(request.model.id, request_bytes(request), words)
