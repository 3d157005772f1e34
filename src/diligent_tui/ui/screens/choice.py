"""A question with a few answers, each under a key; Enter gives the first, Esc the last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.key_line import spelled


@dataclass(frozen=True, slots=True)
class Answer:
    """A key, what it does in words, and what the screen is dismissed with."""

    key: str
    words: str
    value: str


class ChoiceScreen(ModalScreen[str]):
    """One box that lies over the screen; the first answer must be the harmless one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "first", "First answer", show=False),
        Binding("escape", "last", "Last answer", show=False),
    ]

    def __init__(self, title: str, words: str, answers: Sequence[Answer], *, is_alarming: bool = False) -> None:
        """What is asked, and how one may answer; an alarm is drawn as an error."""
        super().__init__()
        self._title = title
        self._words = words
        self._answers = tuple(answers)
        self._colour = "$error" if is_alarming else "$accent"
        self.set_class(is_alarming, "-alarming")

    def compose(self) -> ComposeResult:
        """Title, words, keys."""
        with Vertical(id="choice"):
            yield Static(Content.styled(clean(self._title), f"bold {self._colour}"), markup=False)
            yield Static(Content(clean(self._words)), id="choice-words", markup=False)
            yield Static(Content("\n").join([self._row(answer) for answer in self._answers]), markup=False)

    def on_key(self, event: events.Key) -> None:
        """A key that is one of the answers."""
        for answer in self._answers:
            if event.key == answer.key:
                event.stop()
                self.dismiss(answer.value)
                return

    def action_first(self) -> None:
        """Enter."""
        self.dismiss(self._answers[0].value)

    def action_last(self) -> None:
        """Esc."""
        self.dismiss(self._answers[-1].value)

    def _row(self, answer: Answer) -> Content:
        ways = [answer.key]
        ways += ["⏎"] if answer is self._answers[0] else []
        ways += ["esc"] if answer is self._answers[-1] else []
        return Content.assemble((f"{spelled(' '.join(ways)):<8}", "$accent"), answer.words)
