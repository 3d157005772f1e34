"""How a session stands: which model answers and how hard it thinks, what is permitted, and what is known of sizes."""

from dataclasses import dataclass, field
from functools import partial

from diligent_tui.agent.windows import Windows
from diligent_tui.compaction.sizes import TokensOf
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.models import Model
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.thinking import ThinkingLevel


@dataclass(slots=True)
class Standing:
    """What the verbs of a session change and everybody in it reads."""

    model: Model
    thinking: ThinkingLevel
    mode: Mode
    estimator: Estimator
    windows: Windows = field(default_factory=Windows)

    @property
    def fitted_model(self) -> Model:
        """The model that answers next, with its window if the server told it."""
        return self.windows.fitted(self.model)

    @property
    def window(self) -> tuple[int, bool]:
        """The window of the model that answers next, and whether it is only assumed."""
        return self.windows.of(self.model)

    def tokens_of(self, model: Model | None = None) -> TokensOf:
        """From bytes to tokens, for a model or the one that answers next."""
        return partial(self.estimator.tokens, (model or self.model).id)
