"""A question with a few answers, each under a key; Enter gives the one it stands beside, Esc the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
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
    """One box that lies over the screen; the first answer must be the harmless one.

    A letter answers at once. A number only puts Enter beside its row, as in every list that is numbered: who is used to
    type both would else send the prompt below with the second.
    """

    def __init__(self, title: str, words: str, answers: Sequence[Answer], *, is_alarming: bool = False) -> None:
        """What is asked, and how one may answer; an alarm is drawn as an error."""
        super().__init__()
        self._title = title
        self._words = words
        self._answers = tuple(answers)
        self._chosen = 0
        self._colour = "$error" if is_alarming else "$accent"
        self.set_class(is_alarming, "-alarming")

    def compose(self) -> ComposeResult:
        """Title, words, keys."""
        with Vertical(id="choice"):
            yield Static(Content.styled(clean(self._title), f"bold {self._colour}"), markup=False)
            yield Static(Content(clean(self._words)), id="choice-words", markup=False)
            yield Static(self._rows(), id="choice-answers", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Look at each key before any later one."""
        place = next((place for place, answer in enumerate(self._answers) if event.key == answer.key), None)
        match event.key:
            case "enter":
                self.dismiss(self._answers[self._chosen].value)
            case "escape":
                self.dismiss(self._answers[-1].value)
            case "up" | "down":
                self._put(self._chosen + (1 if event.key == "down" else -1))
            case key if place is not None and key.isdecimal():
                self._put(place)
            case _ if place is not None:
                self.dismiss(self._answers[place].value)
            case _:
                return
        event.stop()

    def _put(self, place: int) -> None:
        self._chosen = max(0, min(place, len(self._answers) - 1))
        self.query_one("#choice-answers", Static).update(self._rows())

    def _rows(self) -> Content:
        return Content("\n").join([self._row(place, answer) for place, answer in enumerate(self._answers)])

    def _row(self, place: int, answer: Answer) -> Content:
        ways = [answer.key]
        ways += ["⏎"] if place == self._chosen else []
        ways += ["esc"] if answer is self._answers[-1] else []
        return Content.assemble((f"{spelled(' '.join(ways)):<8}", "$accent"), answer.words)
