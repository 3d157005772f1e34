"""The list as it lies over the chat, its foot on the prompt; it never moves what is below it."""

from textual.content import Content
from textual.widget import Widget

from diligent_tui.ui.fitting import fit
from diligent_tui.ui.widgets.completion.choices import MOST_ROWS, Choice, Choices
from diligent_tui.ui.widgets.completion.fuzzy import places

LEAST_DETAIL_COLUMNS = 16
MARK, NO_MARK = " ▸ ", "   "
CURSOR = "▏"


class ChoicePopup(Widget):
    """Rows, a line of what was typed if it stands here, and a foot with the keys; the focus stays in the prompt."""

    def __init__(self) -> None:
        """Begin unseen."""
        super().__init__(id="choices")
        self.choices = Choices()
        self.display = False

    def show(self, choices: Choices, rows_above: int) -> None:
        """Show a list, its foot on what stands below; so many rows there are above that."""
        self.choices = choices
        height = min(min(len(choices.rows), MOST_ROWS) + bool(choices.title) + 1, max(0, rows_above))
        self.display = height > 0
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.refresh()

    def hide(self) -> None:
        """Take it away."""
        self.display = False

    def render(self) -> Content:
        """All rows."""
        choices, width = self.choices, self.size.width
        lines: list[Content] = []
        if choices.title:
            typed = fit(choices.wanted, max(1, width - len(choices.title) - 4))
            lines.append(Content.assemble((f" {choices.title} ", "bold $accent"), typed, (CURSOR, "$accent")))
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
        return row.stylize("$foreground on $cursor") if is_chosen else row

    def _foot(self, width: int) -> Content:
        hint = fit(self.choices.hint, max(1, width - len(NO_MARK) - 1))
        note = fit(self.choices.note, max(1, width // 2))
        if _cells(hint) + _cells(note) + len(NO_MARK) + 3 > width:
            note = ""
        gap = max(1, width - len(NO_MARK) - _cells(hint) - _cells(note) - 1)
        return Content.styled(f"{NO_MARK}{hint}{' ' * gap}{note}", "$dim")


def _cells(text: str) -> int:
    return Content(text).cell_length
