"""The knowledge as one walks about in it: a list with a cursor, the details of its row, a head and a foot."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, now
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import Damage, KnownEntry
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import hints_now, sentence_now
from diligent_tui.ui.key_line import BEFORE_FINDING, WHILE_FINDING, Hint, render_pane_keys
from diligent_tui.ui.panes.knowledge import keys
from diligent_tui.ui.panes.knowledge.details_view import KnowledgeDetails
from diligent_tui.ui.panes.knowledge.drawing import draw_columns
from diligent_tui.ui.panes.knowledge.form_view import FormView
from diligent_tui.ui.panes.knowledge.listing import (
    Book,
    BudgetRow,
    CandidateRow,
    EntryRow,
    NearRow,
    Row,
    Sieve,
)
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.panes.knowledge.rows_view import KnowledgeRows
from diligent_tui.ui.panes.knowledge.text_field import TextField
from diligent_tui.ui.panes.knowledge.words import EMPTY, EMPTY_INBOX, damage_said
from diligent_tui.ui.widgets.fitted import Fitted
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.side_pane import SidePane

Mode = Literal["list", "inbox", "merge"]
LOW_ROWS = 14
"""Below this height the list needs the room of the details."""
AGES_EVERY_SECONDS = 30
WORDS_TO_FIND = "words to find"
LEARNING = "⟳ Looking through this session … {fact_back} stops"


class ColumnNames(Widget, can_focus=False):
    """The row above the list."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(KnowledgeLook.CLASSES)

    def render_line(self, y: int) -> Strip:
        """Paint the names as wide as the list is beside its scrollbar."""
        return draw_columns(self.size.width - 1, KnowledgeLook.of(self)).crop_extend(
            0, self.size.width, self.rich_style
        )


class KnowledgeBrowser(SidePane, can_focus=True):
    """The list and what is told around it; where it comes from and what it is asked for is its heirs' affair."""

    keymap: Mapping[str, str] = OUR_KEYS
    """The user's own keys."""

    def __init__(self, clock: Clock = now) -> None:
        """Nothing to show yet."""
        super().__init__(id="knowledge")
        self.book = Book()
        self.damage = Damage()
        self.sieve = Sieve()
        self.mode: Mode = "list"
        self.is_learning = False
        self._near: tuple[NearRow, ...] = ()
        self._new_ids: set[str] = set()
        self._line: TextField | None = None
        self._said = ""
        self._clock = clock
        self.is_ready = False
        """True once there are rows to show entries in."""

    def compose(self) -> ComposeResult:
        """A head, the list, the details, the form in their place, a line to type into, and a foot."""
        yield Static(id="knowledge-head", markup=False)
        yield Static(id="knowledge-empty", markup=False)
        yield ColumnNames(id="knowledge-columns")
        yield KnowledgeRows(self._clock)
        yield KnowledgeDetails(self._clock, self.keymap)
        yield FormView()
        yield Static(id="knowledge-note", markup=False)
        yield Fitted(self._drawn_line, widget_id="knowledge-line")
        yield Foot(self._foot, "knowledge")

    @property
    def rows(self) -> KnowledgeRows:
        """The list itself."""
        return self.query_one(KnowledgeRows)

    @property
    def details(self) -> KnowledgeDetails:
        """The details of the row under the cursor."""
        return self.query_one(KnowledgeDetails)

    @property
    def known(self) -> KnownEntry | None:
        """The entry under the cursor."""
        match self.rows.cursor_row:
            case EntryRow(known=known) | NearRow(known=known):
                return known
            case _:
                return None

    @property
    def candidate(self) -> InboxCandidate | None:
        """The candidate under the cursor."""
        match self.rows.cursor_row:
            case CandidateRow(candidate=candidate):
                return candidate
            case _:
                return None

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo; the heir knows."""
        raise NotImplementedError

    @property
    def has_origin(self) -> bool:
        """Whether it is known where the row under the cursor comes from; the heir knows."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Show what was given before there was a screen."""
        self.is_ready = True
        self.set_interval(AGES_EVERY_SECONDS, self.rows.refresh)
        self.list_rows()

    def list_rows(self) -> None:
        """List what the mode and the sieve say."""
        if not self.is_ready:
            return
        rows: list[Row]
        match self.mode:
            case "list":
                rows = self.book.rows(self.sieve)
            case "inbox":
                rows = [CandidateRow(candidate) for candidate in self.book.candidates]
            case "merge":
                rows = [*self._near]
        view = self.rows
        view.new_ids = frozenset(self._new_ids)
        view.words = tuple(self.sieve.words.lower().split()) if self.mode == "list" else ()
        view.show(rows)
        self.set_class(not rows, "-empty")
        self.set_class(self.mode == "inbox", "-inbox")
        self.set_class(self.mode == "merge", "-merge")
        self.show_all()

    def show_all(self) -> None:
        """Show all that is told around the rows."""
        if not self.is_ready:
            return
        self._show_head()
        self._show_note()
        self.set_class(self._line is not None, "-asking")
        self.query_one("#knowledge-line").refresh()
        self.show_foot()
        empty = self.query_one("#knowledge-empty", Static)
        empty.update(Content.styled(self._nothing(), "$dim"), layout=False)
        self.show_details()

    def show_details(self) -> None:
        """Show the row under the cursor; the heir knows what is told of it."""
        raise NotImplementedError

    def sift(self, sieve: Sieve) -> None:
        """List other entries; the cursor stays on its own if that is among them."""
        self.mode, self.sieve = "list", sieve
        self.list_rows()

    def go_to(self, entry: KnowledgeEntry) -> None:
        """Put the cursor on an entry, listing everything if it is hidden."""
        key = f"{entry.scope}:{entry.id}"
        if not self.rows.go_to(key) and key in self.book.entries:
            self.sift(Sieve())
            self.rows.go_to(key)

    def step_page(self, step: int) -> None:
        """Go by screens: in the details if they have the room, else in the list."""
        if self.has_class("-open"):
            self.details.move(step * max(1, self.details.page_rows - 1))
        else:
            self.rows.step(step * max(1, self.rows.page_rows - 1))

    def on_cursor_rows_cursor_moved(self, message: KnowledgeRows.CursorMoved) -> None:
        """Show the entry under the cursor, and what can be done with it."""
        message.stop()
        self.show_details()
        self.show_foot()

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        self.set_class(self.size.height < LOW_ROWS, "-low")
        if self.is_ready:
            self.call_after_refresh(self.show_all)

    def on_focus(self) -> None:
        """The cursor shows."""
        self.rows.refresh()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.rows.refresh()

    def show_foot(self) -> None:
        """Show keys, or what was said last."""
        self.query_one(Foot).refresh()

    def tell(self, words: str) -> None:
        """Say what came of a wish."""
        self._say(words)

    def _say(self, words: str) -> None:
        if self._said != words:
            self._said = words
            if self.is_ready:
                self.show_foot()

    def _foot(self, width: int) -> Content:
        if self._line is not None:
            return render_pane_keys(WHILE_FINDING if self._line.text else BEFORE_FINDING, width)
        if self._said:
            return Content.styled(clean_line(self._said), "$foreground")
        hints = [hint for hint in self._hints() if self._does_something(hint)]
        return render_pane_keys(hints_now(hints, "knowledge", self.keymap), width)

    def _hints(self) -> Sequence[Hint]:
        match self.mode:
            case "inbox":
                return keys.IN_THE_INBOX if self.rows.rows else keys.IN_AN_EMPTY_INBOX
            case "merge":
                return keys.IN_THE_MERGE
            case "list":
                hints = keys.IN_THE_PAST if self.sieve.view == "past" else keys.IN_THE_LIST
        if not self.rows.rows:
            hints = keys.IN_AN_EMPTY_LIST
        if not self.sieve.is_open:
            hints = (*hints, keys.SHOW_ALL)
        if self.book.candidates:
            others = (hint for hint in hints if hint[0] != "i")
            hints = (("i", f"inbox ({len(self.book.candidates):,})"), *others)
        return hints

    def _does_something(self, hint: Hint) -> bool:
        """Whether a key leads to more than a word why it does not."""
        match hint:
            case keys.UNDO:
                return self.can_undo
            case keys.SOURCE:
                return self.has_origin
            case keys.BRING_BACK:
                return self.known is None or self.known.fate != "superseded"
            case _:
                return True

    def _show_head(self) -> None:
        head = self.query_one("#knowledge-head", Static)
        title, right = self._titled()
        room = head.content_size.width - len(title) - 1
        right = clean_line(right, max(1, room))
        space = max(1, head.content_size.width - len(title) - len(right))
        head.update(Content.assemble((title, "bold"), " " * space, (right, "$dim")), layout=False)

    def _titled(self) -> tuple[str, str]:
        waiting = len(self.book.candidates)
        match self.mode:
            case "inbox":
                return "Inbox", f"{waiting:,} to review" if waiting else ""
            case "merge":
                return "Merge", "those with ✓ become one"
            case "list":
                pass
        inbox = f"inbox ({waiting:,})" if waiting else ""
        book = self.book
        if not self.sieve.is_open:
            listed = sum(not isinstance(row, BudgetRow) for row in self.rows.rows)
            counted = f"{listed:,} · {self.sieve.said}"
        elif book.live_count:
            counted = f"{book.told_count:,} in · {book.live_count - book.told_count:,} below"
        else:
            counted = ""
        return "Knowledge", " · ".join(filter(None, (counted, inbox)))

    def _show_note(self) -> None:
        note = self.query_one("#knowledge-note", Static)
        words = sentence_now(LEARNING, self.keymap) if self.is_learning else damage_said(self.damage)
        note.display = bool(words)
        note.update(Content.styled(words, "$memory"), layout=False)

    def _nothing(self) -> str:
        if self.mode == "inbox":
            return EMPTY_INBOX
        if self.book.live_count or self.sieve.view == "past":
            return f"Nothing here: {self.sieve.said}."
        return EMPTY

    def _drawn_line(self, width: int) -> Content:
        line = self._line
        if line is None:
            return Content("")
        if not line.text:
            return Content.assemble(("/ ", "$accent"), (" ", "reverse"), (WORDS_TO_FIND, "$text-muted"))
        room = max(4, width - len("/ ") - 1)
        start = max(0, line.position - room)
        before, rest = line.text[start : line.position], line.text[line.position :]
        return Content.assemble(("/ ", "$accent"), before, (rest[:1] or " ", "reverse"), rest[1 : room - len(before)])
