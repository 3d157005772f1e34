"""What is well written in the settings and yet leads nowhere: a model or strategy nobody knows, a broken rule."""

from collections.abc import Callable, Iterator

from diligent_tui.agent.user_rules import read_rules
from diligent_tui.compaction.strategies.registry import find_strategy
from diligent_tui.config.load import BUILT_IN, Loaded
from diligent_tui.config.model_list import own_models
from diligent_tui.config.outline import NameOf
from diligent_tui.config.problems import SettingProblem
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.registry import find


def doubts_about(loaded: Loaded) -> tuple[SettingProblem, ...]:
    """A problem for each of them; may load strategies of other packages, so it is not asked at every start."""
    return tuple(_doubts(loaded))


def _doubts(loaded: Loaded) -> Iterator[SettingProblem]:
    settings = loaded.settings
    models = own_models(settings)

    def is_model(name: str) -> object:
        return find(name, models, settings.provider.keys())

    named: tuple[tuple[NameOf, str | None, Callable[[str], object]], ...] = (
        (("model",), settings.model, is_model),
        (("compaction", "model"), settings.compaction.model, is_model),
        (("compaction", "strategy"), settings.compaction.strategy, find_strategy),
    )
    for path, said, is_known in named:
        try:
            if said is not None:
                is_known(said)
        except DiligentError as error:
            yield _problem(loaded, path, error.message, error.advice)
    rules = settings.permissions
    for name, texts in (("allow", rules.allow), ("ask", rules.ask), ("deny", rules.deny)):
        for text in texts:
            for said in read_rules([text], [], [])[1]:
                yield _problem(loaded, ("permissions", name), said, "")


def _problem(loaded: Loaded, path: NameOf, message: str, remedy: str) -> SettingProblem:
    return SettingProblem(
        loaded.origins.get(path, BUILT_IN), ".".join(path), clean_line(message), clean_line(remedy).strip()
    )
