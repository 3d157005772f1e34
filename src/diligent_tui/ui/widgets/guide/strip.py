"""The strip of the guide: says what to try next, sees when it was done, and is never in the way."""

import re
from collections.abc import Iterable, Mapping, Sequence

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.events import ToolFinished
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now, pieces_now
from diligent_tui.ui.key_line import Hint, render_keys
from diligent_tui.ui.widgets.guide.steps import STEPS
from diligent_tui.ui.widgets.guide.tour import Tour

TYPED = re.compile(r"`([^`]+)`")


class GuideStrip(Widget):
    """A few rows above the prompt; it takes no focus and no key, commands turn it."""

    tour: reactive[Tour] = reactive(Tour, layout=True)

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Name the keys of now; `keymap` has the user's own."""
        super().__init__(id="guide")
        self._keymap = keymap

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
        self.tour = self.tour.after(frozenset(type(event).__name__ for event in events if not _was_refused(event)))

    def _see(self, focused: Widget | None) -> None:
        if focused is not None:
            self.tour = self.tour.after(frozenset(f"#{node.id}" for node in focused.ancestors_with_self if node.id))

    def render(self) -> Content:
        """Where the tour stands, what to try, and how to turn it."""
        tour = self.tour
        number = "done" if tour.is_over else f"{tour.place + 1}/{len(STEPS)}"
        return Content.assemble(
            (f"Guide {number} {tour.marks}  ", "bold $accent"),
            *_painted(tour.words, self._keymap),
            "\n",
            ("✓ done  " if tour.is_done else "", "$success"),
            render_keys(self._hints),
        )

    @property
    def _hints(self) -> Sequence[Hint]:
        next_key, back_key = (key_now(name, self._keymap) for name in ("guide_next", "guide_back"))
        back: Sequence[Hint] = ((back_key, "back"),) if self.tour.place else ()
        if self.tour.is_over:
            return ((next_key, "close"), *back)
        return ((next_key, "next"), *back, ("/guide", "hide"))


def _was_refused(event: object) -> bool:
    """True for a tool that was not let run."""
    return isinstance(event, ToolFinished) and event.is_error and event.exit_code is None


def _painted(words: str, keymap: Mapping[str, str]) -> Iterable[str | tuple[str, str]]:
    """Keys, and what stands between backticks, are for the fingers."""
    for place, part in enumerate(TYPED.split(words)):
        if place % 2:
            yield part, "bold $accent"
        else:
            for piece, is_key in pieces_now(part, keymap):
                yield (piece, "bold $accent") if is_key else piece
