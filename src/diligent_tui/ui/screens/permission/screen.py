"""Asks whether tools may do what they want, one question at a time; the safe answer is under Enter."""

import time
from collections.abc import Callable
from typing import ClassVar, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.agent.permissions import Decision
from diligent_tui.domain.errors import SettingsError
from diligent_tui.domain.events import PermissionRequested
from diligent_tui.tools.rules import parse_rule
from diligent_tui.ui.screens.permission import drawing
from diligent_tui.ui.widgets.diff import DiffSheet
from diligent_tui.ui.widgets.line_input import LineInput

MIDDLE_ROWS = 30
TALL_ROWS = 40
Asking = Literal["answer", "rule", "reason"]


class Subject(Static):
    """What would happen, and whether it is laid out yet."""

    class LaidOut(Message):
        """It has its place and size."""

    @property
    def is_laid_out(self) -> bool:
        """False while the room it has is that of what was shown before."""
        wanted = self.get_content_height(self.size, self.screen.size, self.size.width)
        return self.size.width > 0 and self.size.height == wanted

    def on_resize(self) -> None:
        """Tell that it has another size."""
        self.post_message(self.LaidOut())


class PermissionScreen(ModalScreen[None]):
    """Shows the whole of what would happen; nothing is allowed before it was all to be seen."""

    # Otherwise the hidden line would have the keys.
    AUTO_FOCUS = ""
    GRACE_SECONDS: ClassVar[float] = 0.5
    """Keys are passed over until so long none came: they were meant for what was on the screen before."""

    class TypedOn(Message):
        """A letter came that was meant for the text that was being written when the question came up."""

        def __init__(self, letter: str) -> None:
            """Hold the letter."""
            super().__init__()
            self.letter = letter

    def __init__(
        self,
        question: PermissionRequested,
        answer: Callable[[str, Decision], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The first question; `answer` is told the id of a call and what was decided."""
        super().__init__()
        self._questions = [question]
        self._answer = answer
        self._clock = clock
        self._answered = 0
        self._quiet_since = 0.0
        self._asking: Asking = "answer"
        self._is_seen = False
        self._problem = ""

    @property
    def question(self) -> PermissionRequested:
        """The question on the screen."""
        return self._questions[0]

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="permission"):
            yield Static(id="permission-title", markup=False)
            with VerticalScroll(id="permission-body", can_focus=False):
                yield Subject(id="permission-subject", markup=False)
                yield DiffSheet(widget_id="permission-diff")
            yield Static(id="permission-reason", markup=False)
            with Horizontal(id="permission-typing"):
                yield Static(id="permission-caption", markup=False)
                yield LineInput(widget_id="permission-line")
            yield Static(id="permission-keys", markup=False)

    def on_mount(self) -> None:
        """Show the first question."""
        self.watch(self.query_one("#permission-body"), "scroll_y", self._look_for_end, init=False)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Use the height there is; all of it may have come into sight."""
        self.set_class(event.size.height >= MIDDLE_ROWS, "-middle")
        self.set_class(event.size.height >= TALL_ROWS, "-tall")
        self.call_after_refresh(self._look_for_end)

    def on_subject_laid_out(self, message: Subject.LaidOut) -> None:
        """All of a new command may be in sight."""
        message.stop()
        self._look_for_end()

    def on_diff_sheet_laid_out(self, message: DiffSheet.LaidOut) -> None:
        """All of a new diff may be in sight."""
        message.stop()
        self._look_for_end()

    def add(self, question: PermissionRequested) -> None:
        """Ask this too, after the others."""
        self._questions.append(question)
        if self.is_mounted:
            self._show_title()

    def withdraw(self, call_id: str) -> None:
        """Ask no more about a call that was decided elsewhere."""
        if call_id == self.question.call_id:
            self._go_on()
        else:
            self._questions = [question for question in self._questions if question.call_id != call_id]
            self._show_title()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means before any later key is looked at."""
        line = self.query_one(LineInput)
        if line.has_focus:
            return
        if self._asking != "answer":
            line.take_key(event)
            return
        event.stop()
        if self._is_typed_on(event):
            return
        body = self.query_one("#permission-body", VerticalScroll)
        match event.key:
            case "y" if self._is_seen:
                self._decide(Decision(allowed=True))
            case "s" if self._is_seen:
                self._decide(Decision(allowed=True, scope="session", rule=self.question.rule))
            case "a" if self._is_seen and self.question.rule:
                self._type("rule", self.question.rule)
            case "n" | "enter" | "escape":
                self._decide(Decision(allowed=False))
            case "r":
                self._type("reason", "")
            case "down" | "j":
                body.scroll_down(animate=False)
            case "up" | "k":
                body.scroll_up(animate=False)
            case "pagedown" | "space":
                body.scroll_page_down(animate=False)
            case "pageup":
                body.scroll_page_up(animate=False)
            case "end":
                body.scroll_end(animate=False)
            case "home":
                body.scroll_home(animate=False)
            case _:
                pass

    def _is_typed_on(self, event: events.Key) -> bool:
        """Whether somebody still types who has not seen the question; the next key has to wait as long again."""
        now = self._clock()
        if now - self._quiet_since >= self.GRACE_SECONDS:
            return False
        self._quiet_since = now
        # Before a later question it is rather an answer that came too soon.
        if event.is_printable and event.character and not self._answered:
            self.post_message(self.TypedOn(event.character))
        return True

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """The rule or the reason is said."""
        message.stop()
        if self._asking == "reason":
            self._decide(Decision(allowed=False, reason=message.text))
            return
        try:
            rule = parse_rule(message.text)
        except SettingsError as error:
            self._problem = f"{error.message} {error.advice}"
            self._show_keys()
            return
        self._decide(Decision(allowed=True, scope="always", rule=rule.text))

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Back to the answers."""
        message.stop()
        self._end_typing()
        self._show_keys()

    def _decide(self, decision: Decision) -> None:
        self._answer(self.question.call_id, decision)
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next question, or leave."""
        self._end_typing()
        self._answered += 1
        if len(self._questions) == 1:
            self.dismiss(None)
            return
        del self._questions[0]
        self._show()

    def _show(self) -> None:
        self._quiet_since = self._clock()
        self._is_seen = False
        self._show_title()
        question = self.question
        self.set_class(bool(question.diff), "-diff")
        if question.diff:
            self.query_one(DiffSheet).show(question.diff, question.subject)
        else:
            self._put("subject", drawing.coloured_command(question.subject))
        # At once: what was scrolled to the end of the question before says nothing of this one.
        self.query_one("#permission-body", VerticalScroll).scroll_home(animate=False, immediate=True)
        self._show_keys()
        self.call_after_refresh(self._look_for_end)

    def _show_title(self) -> None:
        count = self._answered + len(self._questions)
        self._put("title", drawing.title(self.question, self._answered + 1, count))

    def _show_keys(self) -> None:
        self.set_class(bool(self._problem), "-problem")
        # The rule stands in the line while it is typed.
        self._put("reason", drawing.reason(self.question, with_rule=self._asking == "answer"))
        if self._asking == "answer":
            self._put("keys", drawing.answers(self.question, may_allow=self._is_seen))
        else:
            self._put("keys", drawing.line_keys(self._asking, self._problem))

    def _put(self, part: str, content: Content) -> None:
        self.query_one(f"#permission-{part}", Static).update(content)

    def _look_for_end(self) -> None:
        """What was scrolled to its end, or needs no scrolling, may be allowed."""
        body = self.query_one("#permission-body", VerticalScroll)
        shown = self.query_one(DiffSheet if self.question.diff else Subject)
        is_at_end = shown.is_laid_out and body.scroll_offset.y >= body.max_scroll_y
        if not self._is_seen and is_at_end:
            self._is_seen = True
            self._show_keys()

    def _type(self, asking: Asking, text: str) -> None:
        self._asking = asking
        line = self.query_one(LineInput)
        line.placeholder = "what the model should know" if asking == "reason" else ""
        line.show_text(text)
        self._put("caption", Content.styled(asking, "$dim"))
        self.add_class("-typing")
        self.set_focus(line)
        self._show_keys()

    def _end_typing(self) -> None:
        self._asking = "answer"
        self._problem = ""
        self.remove_class("-typing")
        self.set_focus(None)
