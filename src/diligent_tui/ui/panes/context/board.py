"""A request on screen: a bar by kind, its figures, and its parts, walked about in by keys."""

from collections.abc import Callable, Mapping
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from diligent_tui.compaction.sizes import Kind
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.context import CONTEXT_COMMANDS
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.key_line import BEFORE_FINDING, WHILE_FINDING, WHILE_FOUND, render_pane_keys
from diligent_tui.ui.panes.context import wishes
from diligent_tui.ui.panes.context.keys import hints_at, may_be_pinned
from diligent_tui.ui.panes.context.parts_log import PartsLog
from diligent_tui.ui.panes.context.sheet import ContextSheet, PartBlock
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.gauge import LEVEL_STYLES, SHADES, Fill, bar, figures, legend
from diligent_tui.ui.widgets.line_input import LineInput
from diligent_tui.ui.widgets.virtual_log import VirtualLog

TITLE_CHARS = 60
COUNTING = "Counting what the model will see …"


class ContextBoard(Vertical, can_focus=True):
    """Shows one sheet; wishes leave as messages of the context pane."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS, *, title: str = "Context", is_next: bool = True) -> None:
        """A request that is not the next one cannot be gone to in the chat, nor changed."""
        super().__init__(id="context-board")
        self.sheet: ContextSheet | None = None
        self.kind: Kind | None = None
        self.parts = PartsLog(keymap)
        self._title = clean_line(title, TITLE_CHARS)
        self._is_next = is_next
        self._keymap = keymap
        self._keys = by_key(CONTEXT_COMMANDS, keymap)
        self._deeds = self._table()
        self._words = ""
        self._opened_id: str | None = None
        """A part that the search opened, to be folded when the search goes on."""
        self._is_asking = False
        self._said = ""

    def compose(self) -> ComposeResult:
        """A head with the bar, the parts, and a line to type into."""
        yield Static(id="context-head", markup=False)
        yield Static(Content.styled(COUNTING, "$dim"), id="context-bar", markup=False)
        yield self.parts
        with Horizontal(id="context-asking"):
            yield Static("/", id="context-caption", markup=False)
            yield LineInput(widget_id="context-line", hint="words to find")
        yield Foot(self._foot, "context")

    @property
    def line(self) -> LineInput:
        """Where words are typed."""
        return self.query_one(LineInput)

    @property
    def part(self) -> PartBlock | None:
        """The part under the cursor."""
        return self.parts.cursor_block

    def show(self, sheet: ContextSheet) -> None:
        """Show a request, or the same one as it is now."""
        self.sheet = sheet
        if self.kind not in sheet.kinds:
            self.kind = None
        self._list()

    def say(self, words: str) -> None:
        """Say something at the foot until the next key."""
        self._said = clean_line(words)
        self._show_edges()

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        self.call_after_refresh(self._list)

    def on_focus(self) -> None:
        """The cursor shows."""
        self.parts.refresh()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.parts.refresh()

    def on_virtual_log_new_below_changed(self, message: VirtualLog.NewBelowChanged) -> None:
        """The end of the chat is meant by that, not the end of a request."""
        message.stop()

    def on_virtual_log_block_selected(self, message: VirtualLog.BlockSelected) -> None:
        """Tell what the keys do at this part."""
        message.stop()
        self._show_edges()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means here, before any later key is looked at."""
        if self.line.has_focus:
            return
        if self._is_asking:
            self.line.take_key(event)
            return
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        if command_id is None or (command_id == "context_back" and not (self._words or self.kind)):
            return
        event.stop()
        self._said = ""
        self._deeds[command_id]()
        self._show_edges()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Words are found as they are typed."""
        event.stop()
        if self._is_asking:
            self._words = event.value
            self._fold_again()
            self._opened_id = self.parts.find(event.value)
            self._show_edges()

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """Keep the match."""
        message.stop()
        self._close_line()

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Nothing was meant."""
        message.stop()
        self._leave_search()
        self._close_line()

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "context_to_chat": self._to_chat,
            "context_fold": self._fold,
            "context_fold_all": self.parts.fold_all,
            "context_up": partial(self.parts.move_cursor, -1),
            "context_down": partial(self.parts.move_cursor, 1),
            "context_page_up": self.parts.action_page_up,
            "context_page_down": self.parts.action_page_down,
            "context_read_up": partial(self.parts.scroll_rows, -1),
            "context_read_down": partial(self.parts.scroll_rows, 1),
            "context_first": partial(self._go_to, 0),
            "context_last": partial(self._go_to, -1),
            "context_filter": self._next_kind,
            "context_find": self._ask_for_words,
            "context_next_match": partial(self._find_on, 1),
            "context_previous_match": partial(self._find_on, -1),
            "context_pin": self._pin,
            "context_copy": self._copy,
            "context_back": self._go_back,
        }

    def _to_chat(self) -> None:
        part = self.part
        if part is None or not part.entry_id or not self._is_next:
            self._fold()
        else:
            self.post_message(wishes.ToChat(part.entry_id))

    def _fold(self) -> None:
        self._opened_id = None
        self.parts.action_toggle_fold()

    def _go_to(self, place: int) -> None:
        blocks = self.parts.model.blocks.blocks
        if blocks:
            self.parts.put_cursor(blocks[place].id)

    def _next_kind(self) -> None:
        if self.sheet is not None:
            choices: list[Kind | None] = [None, *self.sheet.kinds]
            self.kind = choices[(choices.index(self.kind) + 1) % len(choices)]
            self.show(self.sheet)

    def _pin(self) -> None:
        part = self.part
        if part is None or not may_be_pinned(part, is_next=self._is_next):
            self.say(
                "Only messages of the conversation can be pinned." if self._is_next else "Pins are set in the chat."
            )
        else:
            self.post_message(wishes.PinToggled(part.entry_id))

    def _copy(self) -> None:
        if part := self.part:
            self.post_message(wishes.CopyRequested(part.text))

    def _ask_for_words(self) -> None:
        self._is_asking = True
        self.line.show_text("")
        self.add_class("-asking")
        self.screen.set_focus(self.line)

    def _find_on(self, step: int) -> None:
        if self._words:
            self._fold_again(unless_open_for=step)
            self._opened_id = self.parts.find_on(step) or self._opened_id

    def _fold_again(self, unless_open_for: int = 0) -> None:
        """Fold what the search opened; a step may stay in the same part, so that one is folded once it is left."""
        opened = self._opened_id
        if opened is not None and (not unless_open_for or opened != self.parts.model.cursor_id):
            self.parts.set_folded(opened, True)
            self._opened_id = None

    def _go_back(self) -> None:
        if self._words:
            self._leave_search()
        elif self.sheet is not None:
            self.kind = None
            self.show(self.sheet)

    def _leave_search(self) -> None:
        self._words, self._opened_id = "", None
        self.parts.search("")

    def _close_line(self) -> None:
        self._is_asking = False
        self.remove_class("-asking")
        self.screen.set_focus(self)
        self._show_edges()

    def _list(self) -> None:
        if self.sheet is not None and self._has_room:
            self.parts.list_parts(self.sheet.listed(self.kind))
        self._show_edges()

    @property
    def _has_room(self) -> bool:
        """False before the first layout: there is neither room nor a style yet."""
        return bool(self.parts.size)

    def _show_edges(self) -> None:
        """The head with its figures, and the foot with its keys."""
        if not self._has_room:
            return
        head = self.query_one("#context-head", Static)
        width = head.content_size.width
        right = self._counted()
        space = max(1, width - len(self._title) - len(right))
        head.update(Content.assemble((self._title, "bold"), " " * space, (right, "$dim")), layout=False)
        if self.sheet is not None:
            self.query_one("#context-bar", Static).update(self._figures(self.sheet, max(1, width)))
        self.query_one(Foot).refresh()

    def _figures(self, sheet: ContextSheet, width: int) -> Content:
        model = Content.styled(sheet.model_id.rpartition("/")[2], "$dim")
        told = figures(sheet.fill)
        space = max(2, width - told.cell_length - model.cell_length)
        rows = [bar(sheet.fill, width), told + Content(" " * space) + model]
        for piece in _legend_of(sheet.fill):
            if len(rows) > 2 and rows[-1].cell_length + 2 + piece.cell_length <= width:
                rows[-1] = rows[-1] + Content("  ") + piece
            else:
                rows.append(piece)
        return Content("\n").join(row.truncate(width) for row in rows)

    def _counted(self) -> str:
        if self.sheet is None:
            return ""
        count = fmt.count(len(self.parts.model.blocks), "part")
        return count if self.kind is None else f"{self.kind} · {count}"

    def _foot(self, width: int) -> Content:
        if self._words:
            counted = self._standing()
            keys = WHILE_FINDING if self._is_asking else hints_now(WHILE_FOUND, "context", self._keymap)
            return Content.assemble((f"{counted}  ", "$dim"), render_pane_keys(keys, width - len(counted) - 2))
        if self._is_asking:
            return render_pane_keys(BEFORE_FINDING, width)
        if self._said:
            return Content.styled(self._said, "$foreground")
        part = self.part
        is_open = part is not None and not self.parts.model.blocks.is_folded(part.id)
        hints = hints_at(part, is_open=is_open, has_open=self.parts.has_open, is_next=self._is_next)
        return render_pane_keys(hints_now(hints, "context", self._keymap), width)

    def _standing(self) -> str:
        standing = self.parts.standing(len(self.parts.model.blocks))
        return f"{standing.number:,} of {standing.count:,}" if standing.count else "no match"


def _legend_of(fill: Fill) -> list[Content]:
    """The legend in the colours of the bar, where the talk warns when there is little room."""
    pieces = legend(fill.parts)
    if fill.level == "calm":
        return pieces
    talk = SHADES["turns"].glyph
    warning = LEVEL_STYLES[fill.level]
    return [piece.stylize(warning, 0, 1) if piece.plain.startswith(talk) else piece for piece in pieces]
