"""The bottom line: how full the context is, what it costs, what is going on, and the keys."""

import time
from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands import COMMANDS

if TYPE_CHECKING:
    from textual.timer import Timer

    from diligent_tui.ui.state import ScreenState

SPINNER = "◐◓◑◒"
TICKS_PER_SECOND = 4
ALL_KEYS = tuple(command.id for command in COMMANDS if command.where == "everywhere" and command.in_footer)
BY_IMPORTANCE = ("help", "stop", *(name for name in ALL_KEYS if name not in ("help", "stop")))
FEWEST_KEYS = 2
PHASES = {
    "starting": "starting",
    "idle": "",
    "waiting": "waiting for the model",
    "thinking": "thinking",
    "answering": "answering",
    "running": "running",
    "asking": "asks you",
    "retrying": "retrying",
    "compacting": "compacting",
}
KEY_NAMES = {"escape": "esc", "ctrl+p": "^p", "ctrl+q": "^q"}


class StatusBar(Widget):
    """One row. A spinner turns only while something is waited for, and never when motion is unwanted."""

    state: "reactive[ScreenState | None]" = reactive(None)
    is_still: reactive[bool] = reactive(False)
    """True where motion is unwanted."""
    tick: reactive[int] = reactive(0)

    def __init__(self) -> None:
        """Begin at rest."""
        super().__init__(id="status")
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        """The timer stands still until it is needed."""
        self._timer = self.set_interval(1 / TICKS_PER_SECOND, self._turn, pause=True)

    def watch_state(self, state: "ScreenState | None") -> None:
        """Let the spinner turn while the agent works."""
        if self._timer is None:
            return
        if state is not None and state.is_busy:
            self._timer.resume()
        else:
            self._timer.pause()

    def render(self) -> Content:
        """The line for the present state; what matters least gives way first on a narrow screen."""
        width = self.size.width
        state = self.state
        if state is None:
            return _spread(Content.styled(" starting …", "$dim"), self._keys(ALL_KEYS), width)
        activity = self._activity(state)
        figures = Content("")
        if state.cache_percent is not None:
            figures += Content.styled(f"   cache {fmt.percent(state.cache_percent)}", "$dim")
        figures += Content.styled(f"   {fmt.money(state.cost)}", "$dim")
        for cells, extra in ((20, figures), (12, figures), (8, Content(""))):
            left = Content(" ") + gauge(state, cells) + extra + activity
            for most in range(len(ALL_KEYS), FEWEST_KEYS - 1, -1):
                right = self._keys(BY_IMPORTANCE[:most])
                if left.cell_length + right.cell_length < width:
                    return _spread(left, right, width)
        return (Content(" ") + gauge(state, 8) + activity).truncate(max(1, width))

    def _activity(self, state: "ScreenState") -> Content:
        if not state.is_busy:
            return Content("")
        sign = SPINNER[0] if self.is_still else SPINNER[self.tick % len(SPINNER)]
        words = " ".join(filter(None, (PHASES[state.phase], clean_line(state.detail, 30))))
        elapsed = (
            "" if self.is_still or state.busy_since is None else f" {fmt.duration(time.monotonic() - state.busy_since)}"
        )
        return Content.assemble("   ", (f"{sign} ", "$accent"), (f"{words}{elapsed}", "$foreground"))

    def _keys(self, wanted: tuple[str, ...]) -> Content:
        parts = [
            Content.assemble(
                (KEY_NAMES.get(command.first_key, command.first_key.upper()), "$accent"),
                (f" {command.title.lower()}", "$dim"),
            )
            for command in COMMANDS
            if command.id in wanted
        ]
        return Content("  ").join(parts) + Content(" ")

    def _turn(self) -> None:
        if not self.is_still:
            self.tick += 1


def gauge(state: "ScreenState", cells: int) -> Content:
    """The context as a bar with its figures: amber from 80 %, red from 95 %."""
    share = state.percent
    level = "$success" if share is None or share < 80 else "$memory" if share < 95 else "$error"
    filled = 0 if share is None else min(cells, max(1 if share else 0, round(cells * share / 100)))
    about = "≈" if state.is_estimated else ""
    assumed = "?" if state.limit_is_assumed else ""
    figures = f" {about}{fmt.tokens(state.tokens)} / {fmt.tokens(state.limit)}{assumed}  {fmt.percent(share)}"
    return Content.assemble(
        ("ctx ", "$dim"), ("█" * filled, level), ("░" * (cells - filled), "$dim"), (figures, "$foreground")
    )


def _spread(left: Content, right: Content, width: int) -> Content:
    space = width - left.cell_length - right.cell_length
    if space < 1:
        return left.truncate(max(1, width))
    return left + Content(" " * space) + right
