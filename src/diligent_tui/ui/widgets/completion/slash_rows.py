"""What may follow a slash: the commands with their help, and the words that each of them takes; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diligent_tui.domain.modes import MODES
from diligent_tui.domain.thinking import THINKING_LEVELS
from diligent_tui.ui.commands import COMMANDS, slash_command
from diligent_tui.ui.widgets.completion.choices import Choice
from diligent_tui.ui.widgets.completion.fuzzy import best
from diligent_tui.ui.widgets.completion.mention import Mention

NEEDS_WORDS = frozenset({"name", "search"})
"""Commands that do nothing without words."""
_MODE_WORDS = (
    "reads, changes nothing",
    "asks before each change",
    "edits files unasked",
    "asks about destruction only",
)
_OPTIONS = (
    Choice("--strategy", "--strategy", "how to compact", is_open_ended=True),
    Choice("--model", "--model", "who writes the summary", is_open_ended=True),
    Choice("--preview", "--preview", "look first; nothing is changed yet"),
)


@dataclass(frozen=True, slots=True)
class SlashWords:
    """Where the words come from that are not known before the app runs."""

    models: Callable[[], Sequence[Choice]]
    strategies: Callable[[], Sequence[str]]
    themes: Sequence[str] = ()

    def rows(self, mention: Mention) -> tuple[Choice, ...]:
        """What could stand in the place of what was typed, the best first."""
        offered = _commands() if mention.kind == "command" else self._arguments(mention)
        return tuple(offered[place] for place in best(mention.typed, [choice.value for choice in offered]))

    def _arguments(self, mention: Mention) -> Sequence[Choice]:
        command = slash_command(mention.command)
        is_first = not mention.before
        match command.id if command else "":
            case "model" if is_first:
                return self.models()
            case "model" if len(mention.before) == 1:
                return [Choice(level, level, "how hard it thinks") for level in THINKING_LEVELS]
            case "mode" if is_first:
                return [Choice(mode, mode, words) for mode, words in zip(MODES, _MODE_WORDS, strict=True)]
            case "theme" if is_first:
                return [Choice(name, name) for name in self.themes]
            case "compact" | "preview":
                return self._options(mention)
            case _:
                return ()

    def _options(self, mention: Mention) -> Sequence[Choice]:
        match mention.before[-1:]:
            case ("--strategy",):
                return [Choice(name, name) for name in self.strategies()]
            case ("--model",):
                return self.models()
            case _:
                # Other words are what to focus on, and no beginning of an option.
                is_option = not mention.typed or mention.typed.startswith("-")
                return [each for each in _OPTIONS if each.value not in mention.before] if is_option else ()


def _commands() -> Sequence[Choice]:
    return [
        Choice(f"/{command.slash}", command.slash, command.help, is_open_ended=command.id in NEEDS_WORDS)
        for command in COMMANDS
        if command.slash
    ]
