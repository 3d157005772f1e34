"""Finds models by name for a session: the one it goes on with, one for a summary, one of an earlier entry."""

from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.domain.entries import ModelChangeEntry
from diligent_tui.domain.errors import DiligentError, UsageError
from diligent_tui.domain.models import Model


@dataclass(frozen=True, slots=True)
class KnownModels:
    """The models that a front end can name; without `find` there is only the one given."""

    given: Model
    find: Callable[[str], Model] | None

    def named(self, model_id: str) -> Model:
        """The model of that name; raises if there is none."""
        if self.find is None:
            raise UsageError(f"There is no model {model_id} here.", "Leave it to the session's own model.")
        return self.find(model_id)

    def known(self, model_id: str) -> Model | None:
        """The model of that name, or None."""
        try:
            return self.named(model_id)
        except DiligentError:
            return None

    def to_go_on_with(self, change: ModelChangeEntry | None, *, resumes: bool) -> Model:
        """The model of a session that is resumed, unless another was asked for."""
        if change is None or self.find is None or not resumes:
            return self.given
        return self.named(f"{change.provider}/{change.model_id}")
