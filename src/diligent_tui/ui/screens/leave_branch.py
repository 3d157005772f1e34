"""Asks what to take along when a branch is left: nothing, a summary, or a summary with a focus."""

from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.widgets.line_input import LineInput

Kind = Literal["nothing", "summary", "focus"]
OFFERS: tuple[tuple[Kind, str, str], ...] = (
    ("nothing", "nothing", "just go; it costs nothing"),
    ("summary", "a summary", "the model writes what happened there"),
    ("focus", "a summary with a focus", "you say what matters"),
)
TITLE_CHARS = 48
KEYS = (("⏎", "go"), ("1–3", "choose"), ("esc", "stay here"))
ASKING_KEYS = (("⏎", "summarise"), ("esc", "back"))


@dataclass(frozen=True, slots=True)
class LeaveChoice:
    """What goes along to the other branch; `focus` is what a summary should dwell on."""

    kind: Kind
    focus: str = ""


class LeaveBranchScreen(ModalScreen[LeaveChoice | None]):
    """Three offers; a number puts the cursor on one, enter takes that, escape stays on the branch."""

    # Otherwise the hidden line would have the keys.
    AUTO_FOCUS = ""

    def __init__(self, entries_left: int, branch_name: str) -> None:
        """What is left, and how it is called."""
        super().__init__()
        self._entries_left = entries_left
        self._branch_name = branch_name
        self._chosen = 0

    def compose(self) -> ComposeResult:
        """One box."""
        name = clean_line(self._branch_name, TITLE_CHARS)
        title = f"Leave “{name}”?" if name else "Leave this branch?"
        # An entry count alone would not say whether it is lost.
        left = "1 entry stays there" if self._entries_left == 1 else f"{self._entries_left:,} entries stay there"
        with Vertical(id="leave", classes="dialog"):
            yield Static(Content.styled(title, "bold $accent"), markup=False)
            yield Static(Content.styled(f"{left}, and you can come back. What goes along?", "$dim"), markup=False)
            yield Static(id="leave-offers", markup=False)
            yield LineInput(hint="what the summary should dwell on", widget_id="leave-focus")
            yield Static(id="leave-keys", markup=False)

    def on_mount(self) -> None:
        """The safe offer is under enter."""
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means before any later key is looked at; a focus may be typed quickly."""
        line = self.query_one(LineInput)
        if line.has_focus:
            return
        if self.has_class("-asking"):
            line.take_key(event)
            return
        match event.key:
            case "1" | "2" | "3":
                self._put(int(event.key) - 1)
            case "up" | "k":
                self._put(self._chosen - 1)
            case "down" | "j":
                self._put(self._chosen + 1)
            case "enter":
                self._take()
            case "escape":
                self.dismiss(None)
            case _:
                return
        event.stop()

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """The focus is said; without one it is a plain summary."""
        message.stop()
        self.dismiss(LeaveChoice("focus", message.text) if message.text else LeaveChoice("summary"))

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Back to the offers."""
        message.stop()
        self.remove_class("-asking")
        self.set_focus(None)
        self._show()

    def _put(self, place: int) -> None:
        self._chosen = max(0, min(place, len(OFFERS) - 1))
        self._show()

    def _take(self) -> None:
        """Take the offer under the cursor; a focus is asked for first."""
        kind = OFFERS[self._chosen][0]
        if kind == "focus":
            self.add_class("-asking")
            self.set_focus(self.query_one(LineInput))
            self._show()
        else:
            self.dismiss(LeaveChoice(kind))

    def _show(self) -> None:
        rows: list[Content] = []
        for number, (_, title, about) in enumerate(OFFERS):
            is_chosen = number == self._chosen
            bar = ("▎", "$accent") if is_chosen else (" ", "")
            rows.append(
                Content.assemble(bar, (f"{number + 1} ", "$accent"), (f"{title}  ", "bold" if is_chosen else ""))
                + Content.styled(about, "$dim")
            )
        self.query_one("#leave-offers", Static).update(Content("\n").join(rows))
        self.query_one("#leave-keys", Static).update(render_keys(ASKING_KEYS if self.has_class("-asking") else KEYS))
