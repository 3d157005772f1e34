"""The bottom line: how full the context is, what it costs, what is going on, and the keys of where one is."""

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands import Command, Where
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import commands_now, key_now, shown_key
from diligent_tui.ui.commands.places import place_of
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.widgets.gauge import Fill, bar, figures
from diligent_tui.ui.widgets.written import Telling, written

if TYPE_CHECKING:
    from textual.timer import Timer

    from diligent_tui.ui.state import ScreenState

SPINNER = "◐◓◑◒"
TICKS_PER_SECOND = 4
GLIDES_PER_SECOND = 20
GLIDE_SHARE = 1 / 4
"""So much of what is left the gauge moves at a time, and at least half a cell of the widest bar."""
GAUGE_CELLS = (20, 12, 8)
LEAST_GLIDE = 1 / (2 * GAUGE_CELLS[0])
LEAST_GAP = 2
"""Blanks between the figures and the keys."""
STOP = "stop"
FOLD = "fold"
MOST_IMPORTANT = (STOP, "help")
PANES = frozenset[Where]({"tree", "tools", "knowledge", "summary", "context", "trace"})
NARROW_COLUMNS = 100
"""Below this a pane covers the chat."""
DETAIL_COLUMNS = 30
PHASES = {
    "starting": "starting",
    "idle": "",
    "waiting": "waiting for the model",
    "thinking": "thinking",
    "answering": "answering",
    "running": "running",
    "asking": "waits for your answer",
    "retrying": "retrying",
    "compacting": "compacting",
}


class StatusBar(Widget):
    """One row. It moves only while something is waited for or the gauge glides, and never when motion is unwanted."""

    state: "reactive[ScreenState | None]" = reactive(None)
    is_still: reactive[bool] = reactive(False)
    """True where motion is unwanted, or nobody looks: a time that stands still is left out then."""
    tick: reactive[int] = reactive(0)
    where: reactive[Where] = reactive[Where]("everywhere")
    """The place whose keys are shown."""
    fold_word: reactive[str] = reactive("")
    """What Enter does with the block under the chat's cursor; nothing for one that is always open."""
    shown_share: reactive[float | None] = reactive[float | None](None)
    """How far the gauge is drawn; it follows the state."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Begin at rest; `keymap` has the user's own keys."""
        super().__init__(id="status")
        self._commands = [command for command in commands_now(keymap) if command.in_footer]
        self._stop_key = key_now(STOP, keymap)
        self._feet: dict[Where, str] = {}
        """What the feet of the panes say."""
        self._timer: Timer | None = None
        self._gliding: Timer | None = None

    def on_mount(self) -> None:
        """The timers stand still until they are needed."""
        self._timer = self.set_interval(1 / TICKS_PER_SECOND, self._turn, pause=True)
        self._gliding = self.set_interval(1 / GLIDES_PER_SECOND, self._glide, pause=True)
        self.watch(self.screen, "focused", self._focus_moved)

    def watch_state(self, state: "ScreenState | None") -> None:
        """Let the spinner turn while the agent works, and the gauge follow."""
        if self._timer is None or self._gliding is None:
            return
        if state is not None and state.is_working and not self.is_still:
            self._timer.resume()
        else:
            self._timer.pause()
        target = None if state is None else fill_of(state).share
        if self.is_still or target is None or self.shown_share is None:
            self.shown_share = target
        elif abs(target - self.shown_share) > LEAST_GLIDE:
            self._gliding.resume()

    def note_foot(self, where: Where, words: str) -> None:
        """Hear what the foot of a pane says now."""
        self._feet[where] = words
        if where == self.where:
            self.refresh()

    def watch_is_still(self) -> None:
        """Stop at once, or move on."""
        self.watch_state(self.state)

    def render(self) -> Content:
        """The line for the present state; what matters least gives way first on a narrow screen."""
        width = self.size.width
        state = self.state
        is_busy = state is not None and state.is_working
        here = [
            command._replace(title=self.fold_word) if command.id == FOLD else command
            for command in self._commands
            if command.where == self.where != "everywhere"
            if self.fold_word or command.id != FOLD
        ]
        step_back = self._step_back_words(is_busy=is_busy)
        everywhere = [
            command._replace(title=step_back) if command.id == STOP else command
            for command in self._commands
            if command.where == "everywhere" and (step_back or command.id != STOP)
        ]
        if state is None:
            return _spread(Content.styled(" starting …", "$dim"), _keys([*here, *everywhere]), width)
        first = [command for each in MOST_IMPORTANT for command in everywhere if command.id == each]
        by_importance = [*first, *here, *(command for command in everywhere if command not in first)]
        left = Content("")
        for left, is_least in self._lefts(state):
            # A longer gauge is worth less than the keys one may be looking for.
            fewest = 1 if is_least else len(first)
            for most in range(len(by_importance), fewest - 1, -1):
                kept = by_importance[:most]
                right = _keys([command for command in (*here, *everywhere) if command in kept])
                if left.cell_length + LEAST_GAP + right.cell_length <= width:
                    return _spread(left, right, width)
        return left.truncate(max(1, width), ellipsis=True)

    def _step_back_words(self, *, is_busy: bool) -> str:
        """What Esc does from here, as far as one must be told: stop what goes on, leave a pane that covers the chat."""
        is_asked = self.state is not None and (self.state.phase == "asking" or self.state.question is not None)
        if is_asked or self.where == "queue":
            # There Esc has another meaning, which is told there.
            return ""
        if self.where not in PANES:
            return "stop" if is_busy else ""
        if self._stop_key in self._feet.get(self.where, "").split():
            # The pane has something to leave first, and says so.
            return ""
        if is_busy:
            return "back, then stop"
        return "back" if self.size.width < NARROW_COLUMNS else ""

    def _lefts(self, state: "ScreenState") -> Iterator[tuple[Content, bool]]:
        """Gauge, costs and what is going on, from all that there is to tell to the least, which is told as such."""
        activity = self._activity(state)
        for cells in GAUGE_CELLS[:-1]:
            yield self._gauge(state, cells) + _costs(state) + activity, False
        smallest = self._gauge(state, GAUGE_CELLS[-1])
        yield smallest + activity, False
        if state.writing is not None:
            # How long it still takes is worth more than keys one does not need meanwhile.
            yield smallest + self._activity(state, "rest"), True
        yield smallest + self._activity(state, "least"), True

    def _gauge(self, state: "ScreenState", cells: int) -> Content:
        fill = fill_of(state)
        drawn = bar(fill, cells, self.shown_share)
        return Content.assemble((" ctx ", "$dim"), drawn, " ", figures(fill))

    def _activity(self, state: "ScreenState", telling: Telling = "all") -> Content:
        """What is going on, and for how long; where there is room, how far it has come."""
        if not state.is_working:
            return Content("")
        sign = SPINNER[0] if self.is_still else SPINNER[self.tick % len(SPINNER)]
        writing = state.writing
        words = PHASES[state.phase] if writing is None else f"{writing.deed} · {writing.phase}"
        between = ": " if state.phase == "asking" else " "
        detail = state.detail if telling == "all" and not (writing and writing.errand_id) else ""
        words = between.join(filter(None, (words, fit(detail, DETAIL_COLUMNS) if detail else "")))
        now, since = self._now(), state.working_since
        elapsed = "" if now is None or since is None else f" {fmt.duration(now - since)}"
        so_far = "" if writing is None else written(writing, now, telling)
        if telling == "rest" and so_far and writing is not None:
            words, elapsed = writing.deed, ""
        style = "$foreground" if writing is None else "$memory"
        return Content.assemble("   ", (f"{sign} ", "$accent"), (f"{words}{elapsed}{so_far}", style))

    def _now(self) -> float | None:
        return None if self.is_still else time.monotonic()

    def _focus_moved(self, focused: Widget | None) -> None:
        self.where = place_of((focused or self.screen).ancestors_with_self)

    def _turn(self) -> None:
        self.tick += 1

    def _glide(self) -> None:
        """One step towards the true figure; then rest."""
        target = None if self.state is None else fill_of(self.state).share
        shown = self.shown_share
        if target is None or shown is None or abs(target - shown) <= LEAST_GLIDE:
            self.shown_share = target
            if self._gliding is not None:
                self._gliding.pause()
            return
        step = max(LEAST_GLIDE, abs(target - shown) * GLIDE_SHARE)
        self.shown_share = shown + step if target > shown else shown - step


def fill_of(state: "ScreenState") -> Fill:
    """How full the context is, for the gauge."""
    return Fill(state.tokens, state.limit, state.parts, state.is_estimated, state.limit_is_assumed)


def _costs(state: "ScreenState") -> Content:
    cached = "" if state.cache_percent is None else f"   cache {fmt.percent(state.cache_percent)}"
    return Content.styled(f"{cached}   {fmt.money(state.cost)}", "$dim")


def _keys(commands: list[Command]) -> Content:
    hints = [(key, command.title.lower()) for command in commands if (key := shown_key(command))]
    return render_keys(hints) + Content(" ")


def _spread(left: Content, right: Content, width: int) -> Content:
    space = width - left.cell_length - right.cell_length
    if space < 1:
        return left.truncate(max(1, width))
    return left + Content(" " * space) + right
