"""The list as it lies over the chat, its foot on the prompt; it never moves what is below it."""

from typing import Protocol

from textual.content import Content
from textual.screen import Screen
from textual.signal import Signal
from textual.widget import Widget

from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.widgets.completion.choices import MOST_ROWS, Choice, Choices
from diligent_tui.ui.widgets.completion.fuzzy import places
from diligent_tui.ui.widgets.cursor_row import lit_content

LEAST_DETAIL_COLUMNS = 16
MARK, NO_MARK = " ▸ ", "   "
NO_MATCH = "No match. Try other words, or esc."


class TellsLayouts(Protocol):
    """A screen, as far as it tells that it was laid out anew; Textual leaves a part of this type open."""

    screen_layout_refresh_signal: Signal[Screen[object]]


class ChoicePopup(Widget):
    """Rows, a line of what was typed if it stands here, and a foot with the keys; the focus stays in the prompt."""

    def __init__(self, below: Widget) -> None:
        """Begin unseen; later its foot stands on the widget below, and it is never higher than the room above that."""
        super().__init__(id="choices")
        self.choices = Choices()
        self.display = False
        self._below = below
        self._is_wanted = False

    def on_mount(self) -> None:
        """What stands below may move while the list is open: the screen gets lower, or the text longer."""
        _signal_of(self.screen).subscribe(self, self._fit_in)

    def show(self, choices: Choices) -> None:
        """Show a list."""
        self.choices = choices
        self._is_wanted = True
        self._fit_in()
        self.refresh()

    def hide(self) -> None:
        """Take it away."""
        self._is_wanted = False
        self.display = False

    def render(self) -> Content:
        """All rows."""
        choices, width = self.choices, self.size.width
        lines: list[Content] = []
        if choices.title:
            typed = fit(choices.wanted, max(1, width - len(choices.title) - 4))
            lines.append(Content.assemble((f" {choices.title} ", "bold $accent"), typed, (" ", "reverse")))
        if not choices.rows:
            lines.append(Content.styled(f"{NO_MARK}{fit(NO_MATCH, max(1, width - len(NO_MARK)))}", "$dim"))
        room = max(0, self.size.height - len(lines) - 1)
        window = choices.window(room)
        widest = max((_cells(choices.rows[place].label) for place in window), default=0)
        rows = [self._row(choices.rows[place], width, widest, is_chosen=place == choices.place) for place in window]
        return Content("\n").join([*lines, *rows, self._foot(width)])

    def _row(self, choice: Choice, width: int, widest: int, *, is_chosen: bool) -> Content:
        room = max(1, width - len(MARK) - 1)
        beside = room - widest - 2 if choice.detail else 0
        detail = fit(choice.detail, beside) if beside >= LEAST_DETAIL_COLUMNS else ""
        label = fit(choice.label, room if not detail else widest)
        said = Content(label)
        for place in sorted(places(self.choices.wanted, label)):
            said = said.stylize("bold $accent" if not is_chosen else "bold underline", place, place + 1)
        mark = Content.styled(MARK, "bold $accent") if is_chosen else Content(NO_MARK)
        gap = " " * (widest - said.cell_length + 2) if detail else ""
        row = Content.assemble(mark, said, gap, (detail, "$dim"))
        row = row.pad_right(max(0, width - row.cell_length))
        return lit_content(row, self) if is_chosen else row

    def _foot(self, width: int) -> Content:
        keys = NO_MARK + render_keys(self.choices.keys, max(1, width - len(NO_MARK) - 1))
        note = fit(self.choices.note, max(1, width // 2))
        if keys.cell_length + _cells(note) + 3 > width:
            note = ""
        gap = max(1, width - keys.cell_length - _cells(note) - 1)
        return Content.assemble(keys, " " * gap, (note, "$dim"))

    def _fit_in(self, _: Screen[object] | None = None) -> None:
        if not self._is_wanted:
            return
        rows = min(max(1, len(self.choices.rows)), MOST_ROWS)
        height = min(rows + bool(self.choices.title) + 1, max(0, self._below.region.y))
        self.display = height > 0
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height


def _signal_of(screen: TellsLayouts) -> Signal[Screen[object]]:
    return screen.screen_layout_refresh_signal


def _cells(text: str) -> int:
    return Content(text).cell_length
