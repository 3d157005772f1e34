"""The strip of the guide: says what to try next, sees when it was done, and is never in the way."""

import re
from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.ui.key_line import Hint, render_keys
from diligent_tui.ui.widgets.guide.steps import STEPS
from diligent_tui.ui.widgets.guide.tour import Tour

TYPED = re.compile(r"`([^`]+)`")


class GuideStrip(Widget):
    """A few rows above the prompt; it takes no focus and no key, commands turn it."""

    tour: reactive[Tour] = reactive(Tour, layout=True)

    def __init__(self, next_key: str = "F12") -> None:
        """Name the key that goes on, as it is shown."""
        super().__init__(id="guide")
        self._next_key = next_key

    def on_mount(self) -> None:
        """Panes take the focus when they are shown."""
        self.watch(self.screen, "focused", self._see, init=False)

    def turn(self, steps: int) -> None:
        """Go on or back; beyond the farewell the strip is gone."""
        if steps > 0 and self.tour.is_over:
            self.display = False
        else:
            self.display = True
            self.tour = self.tour.turned(steps)

    def hear(self, events: Iterable[object]) -> None:
        """Events that happened."""
        self.tour = self.tour.after(frozenset(type(event).__name__ for event in events))

    def _see(self, focused: Widget | None) -> None:
        if focused is not None:
            self.tour = self.tour.after(frozenset(f"#{node.id}" for node in focused.ancestors_with_self if node.id))

    def render(self) -> Content:
        """Where the tour stands, what to try, and how to turn it."""
        tour = self.tour
        number = "done" if tour.is_over else f"{tour.place + 1}/{len(STEPS)}"
        return Content.assemble(
            (f"Guide {number} {tour.marks}  ", "bold $accent"),
            *_painted(tour.words),
            "\n",
            render_keys(self._hints),
        )

    @property
    def _hints(self) -> Sequence[Hint]:
        back: Sequence[Hint] = (("shift+F12", "back"),) if self.tour.place else ()
        if self.tour.is_over:
            return ((self._next_key, "close"), *back)
        return ((self._next_key, "next"), *back, ("/guide", "hide"))


def _painted(words: str) -> Iterable[str | tuple[str, str]]:
    """What stands between backticks is for the fingers."""
    for place, part in enumerate(TYPED.split(words)):
        yield (part, "bold $accent") if place % 2 else part
