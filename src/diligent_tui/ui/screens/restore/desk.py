"""What the restore screen works with: the history, the words of each turn, and who hears of what was done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from diligent_tui.agent.file_history import FileHistory, FilePlan, Plan, Receipt, TurnChanges
from diligent_tui.agent.file_history.diffs import Difference
from diligent_tui.domain.progress import Tell
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui.screens.choice import ChoiceScreen


def _always() -> str:
    return ""


def _nobody(_: Receipt) -> None:
    return


@dataclass(frozen=True, slots=True)
class RestoreDesk:
    """Handed to the screen by whoever opens it; all that reads files is called in a thread."""

    history: FileHistory
    prompt_of: Callable[[str], str]
    """The prompt of a turn, empty if it is not known."""
    ask: Callable[[ChoiceScreen], Awaitable[str]]
    """Shows a question over the screen; an app's `push_screen_wait`."""
    is_on_path: Callable[[str], bool] = lambda _: True
    """False for a turn on a branch that was left."""
    why_not: Callable[[], str] = _always
    """A sentence while files must not be touched, such as during a turn; else empty."""
    restored: Callable[[Receipt], None] = _nobody
    """Told after files were changed, in the app's own thread."""
    clock: Clock = now


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn with all that its row tells."""

    turn: TurnChanges
    words: str
    files: tuple[str, ...]
    is_on_path: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """A plan, what it would change in each file, and what it is called."""

    title: str
    plan: Plan
    differences: dict[str, Difference]

    def difference(self, file: FilePlan) -> Difference:
        """What would change in a file."""
        return self.differences.get(file.name, Difference())


def turn_rows(desk: RestoreDesk) -> list[TurnRow]:
    """The turns that changed files, newest first."""
    return [
        TurnRow(
            turn,
            desk.prompt_of(turn.turn_id),
            tuple(desk.history.shown(file.name) for file in turn.files),
            desk.is_on_path(turn.turn_id),
        )
        for turn in desk.history.turns()
    ]


def preview_of(desk: RestoreDesk, title: str, plan: Plan, tell: Tell) -> Preview:
    """The plan with its differences."""
    differences: dict[str, Difference] = {}
    for number, file in enumerate(plan.files):
        tell(number, len(plan.files))
        if file.action != "nothing" and not file.refusal:
            differences[file.name] = desk.history.difference(file)
    return Preview(title, plan, differences)
