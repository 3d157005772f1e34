"""The trace pane: every event, request and answer, listed while it is looked at and only recorded while it is not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.domain.events import Event
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.commands.trace import TRACE_COMMANDS
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import render_pane_keys
from diligent_tui.ui.panes.trace import wishes
from diligent_tui.ui.panes.trace.book import TraceBook
from diligent_tui.ui.panes.trace.details import exact_time, kept_messages
from diligent_tui.ui.panes.trace.drawing import ThingRenderer
from diligent_tui.ui.panes.trace.keys import WHILE_ASKING, WHILE_EMPTY, in_the_list, where_nothing_fits
from diligent_tui.ui.panes.trace.look import TraceLook
from diligent_tui.ui.panes.trace.sieve import Sieve
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.trace_log import TraceLog
from diligent_tui.ui.widgets.fitted import Fitted
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.line_input import LineInput
from diligent_tui.ui.widgets.side_pane import SidePane
from diligent_tui.ui.widgets.virtual_log import VirtualLog

TEACHING = (
    "Nothing was asked since this session was opened.\n"
    "Every request, answer, tool and compaction will stand here with its size and time."
)
FEW_ROWS = 4
"""Fewer notes than that, and nothing else, leave room to say what will come."""
NOTHING_FITS = "Nothing here is like that."
CLOCK_SECONDS = 1.0
"""How often the time of what goes on is shown anew."""


class TracePane(SidePane, can_focus=True):
    """What happens inside, row by row; it follows the newest unless one reads further up."""

    ToChat = wishes.ToChat
    ExportRequested = wishes.ExportRequested

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS, clock: Clock = now) -> None:
        """Know the user's own keys."""
        super().__init__(id="trace")
        self.recorder = TraceRecorder(clock)
        self.book = TraceBook()
        self.sieve = Sieve()
        renderer = ThingRenderer(lambda: TraceLook.of(self.log_view), lambda: self.book.began_at, self._kept, clock)
        self.log_view = TraceLog(renderer)
        self._clock = clock
        self._keymap = keymap
        self._keys = by_key(TRACE_COMMANDS, keymap)
        self.deeds = self._table()
        self._session: AgentSession | None = None
        self._stop_listening: Callable[[], None] = lambda: None
        self._ticking: Timer | None = None
        self._is_asking = False

    def compose(self) -> ComposeResult:
        """A head, the rows, a line to type into, and a foot."""
        yield Fitted(self._head, widget_id="trace-head")
        yield Fitted(self._totals, widget_id="trace-totals")
        yield Fitted(self._teaching, widget_id="trace-empty")
        yield self.log_view
        with Horizontal(id="trace-asking"):
            yield Static("/", id="trace-caption", markup=False)
            yield LineInput(widget_id="trace-line", hint="words to list")
        yield Foot(self._foot, "trace")

    @property
    def line(self) -> LineInput:
        """Where words are typed."""
        return self.query_one(LineInput)

    @property
    def thing(self) -> Thing | None:
        """The thing under the cursor."""
        return self.log_view.cursor_block

    def attach(self, session: AgentSession) -> None:
        """Listen to another session; what was recorded of the one before is gone."""
        self._stop_listening()
        self._session = session
        self.recorder = TraceRecorder(self._clock)
        self._stop_listening = session.hub.subscribe(self.recorder)
        self.book = TraceBook()
        self.log_view.clear()
        self.catch_up()

    def take(self, events: Sequence[Event]) -> None:
        """The recorder has heard all of it already, with its exact times; show it if somebody looks."""
        self.catch_up()

    def catch_up(self) -> None:
        """Show what was recorded since one looked last."""
        if not self.is_mounted or not self.display:
            return
        records = self.recorder.take_changes()
        if self.book.has_all(records):
            # Only streams have grown: what goes on is painted each second, and more often nobody reads it.
            return
        changed = self.book.take(records)
        if self.recorder.dropped:
            oldest = self.recorder.records[0].number
            self.log_view.remove_blocks(self.book.forget_before(oldest))
        self._show(changed)
        if self._ticking is not None and any(thing.state == "running" for thing in changed):
            self._ticking.resume()

    def on_mount(self) -> None:
        """Running things have their time told."""
        self._ticking = self.set_interval(CLOCK_SECONDS, self._tick, pause=True)
        self.catch_up()
        self._show_edges()

    def on_unmount(self) -> None:
        """Nobody listens any more."""
        self._stop_listening()

    def on_show(self) -> None:
        """Nothing was listed while nobody looked."""
        self.catch_up()

    def on_focus(self) -> None:
        """The cursor shows."""
        self.catch_up()
        self.log_view.refresh()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.log_view.refresh()

    def on_virtual_log_new_below_changed(self, message: VirtualLog.NewBelowChanged) -> None:
        """The end of the chat is meant by that, not the end of the trace."""
        message.stop()
        self._show_edges()

    def on_virtual_log_block_selected(self, message: VirtualLog.BlockSelected) -> None:
        """The exact time is told of what is under the cursor."""
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
        if command_id is None or (command_id == "trace_back" and self.sieve.is_open):
            return
        event.stop()
        self.deeds[command_id]()
        self._show_edges()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Rows are listed as words are typed."""
        event.stop()
        if self._is_asking:
            self._sift(replace(self.sieve, words=event.value.strip()))

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """Keep the words."""
        message.stop()
        self._close_line()

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Nothing was meant."""
        message.stop()
        self._sift(replace(self.sieve, words=""))
        self._close_line()

    def _table(self) -> dict[str, Callable[[], None]]:
        log = self.log_view
        return {
            "trace_open": log.open_or_fold,
            "trace_fold_all": log.fold_all,
            "trace_up": partial(log.move_cursor, -1),
            "trace_down": partial(log.move_cursor, 1),
            "trace_page_up": log.action_page_up,
            "trace_page_down": log.action_page_down,
            "trace_read_up": partial(log.scroll_rows, -1),
            "trace_read_down": partial(log.scroll_rows, 1),
            "trace_first": log.go_to_oldest,
            "trace_last": log.go_to_newest,
            "trace_filter": lambda: self._sift(self.sieve.after()),
            "trace_problems": lambda: self._sift(replace(self.sieve, only_problems=not self.sieve.only_problems)),
            "trace_find": self._ask_for_words,
            "trace_to_chat": self._to_chat,
            "trace_export": self._export,
            "trace_copy": log.action_copy,
            "trace_back": lambda: self._sift(Sieve()),
        }

    def _to_chat(self) -> None:
        if (thing := self.thing) is not None and thing.entry_id:
            self.post_message(self.ToChat(thing.entry_id))

    def _export(self) -> None:
        if self._session is not None:
            self.post_message(self.ExportRequested(self.recorder, self._session.id))

    def _ask_for_words(self) -> None:
        self._is_asking = True
        self.line.show_text(self.sieve.words)
        self.add_class("-asking")
        self.screen.set_focus(self.line)

    def _close_line(self) -> None:
        self._is_asking = False
        self.remove_class("-asking")
        self.screen.set_focus(self)
        self._show_edges()

    def _sift(self, sieve: Sieve) -> None:
        self.sieve = sieve
        self.log_view.list_anew([thing for thing in self.book.things.values() if sieve.fits(thing)])
        self._show_edges()

    def _show(self, changed: Sequence[Thing]) -> None:
        log = self.log_view
        fitting = [thing for thing in changed if self.sieve.fits(thing)]
        # One that goes on may cease to fit, as an answer whose words change.
        log.remove_blocks([thing.id for thing in changed if thing.id in log.model.blocks and thing not in fitting])
        log.put(fitting)
        if changed:
            self._show_edges()

    def _tick(self) -> None:
        running = [thing for thing in self.book.things.values() if thing.state == "running"]
        if self._ticking is not None and not (running and self.display):
            self._ticking.pause()
            return
        for thing in running:
            thing.version += 1
        self._show(running)

    def _kept(self, compaction_id: str) -> int | None:
        return kept_messages(self._session.store, compaction_id) if self._session else None

    def _show_edges(self) -> None:
        listed = self.log_view.model.blocks.blocks
        is_quiet = len(listed) < FEW_ROWS and all(thing.kind == "note" for thing in listed)
        self.set_class(not listed, "-empty")
        self.set_class(self.sieve.is_open and is_quiet, "-new")
        for edge in self.query(Fitted):
            edge.refresh()

    def _head(self, width: int) -> Content:
        listed = len(self.log_view.model.blocks)
        right = fmt.count(self.recorder.heard, "event") if listed else ""
        if not self.sieve.is_open:
            rows = f" · {fmt.count(listed, 'row')}"
            right = f"{fit(self.sieve.told(), width - len(f'Trace  {rows}'))}{rows}"
        space = max(1, width - len("Trace") - cell_len(right))
        return Content.assemble(("Trace", "bold"), " " * space, (right, "$dim"))

    def _totals(self, width: int) -> Content:
        if not self.recorder.heard:
            return Content("")
        totals, dropped = self.book.totals, self.recorder.dropped
        pieces = [
            (totals.problems, fmt.count(totals.problems, "problem"), "$error"),
            (totals.breaks, f"cache broke {totals.breaks:,}×", "$memory"),
            (totals.prompt_tokens, f"{fmt.percent(totals.cache_percent)} cached", "$dim"),
            (dropped, f"oldest {dropped:,} dropped", "$dim"),
            (totals.requests, fmt.count(totals.requests, "request"), "$dim"),
        ]
        told = Content("")
        for is_told, words, style in pieces:
            more = told + Content.styled("· " if told else "", "$dim") + Content.styled(f"{words} ", style)
            if is_told and more.cell_length <= width:
                told = more
        return told

    def _teaching(self, width: int) -> Content:
        return Content.styled(TEACHING if self.sieve.is_open else NOTHING_FITS, "$dim")

    def _foot(self, width: int) -> Content:
        if self._is_asking:
            return render_pane_keys(WHILE_ASKING, width)
        log, thing = self.log_view, self.thing
        if not self.book.things:
            return render_pane_keys(hints_now(WHILE_EMPTY, "trace", self._keymap), width)
        if not len(log.model.blocks):
            return render_pane_keys(hints_now(where_nothing_fits(self.sieve), "trace", self._keymap), width)
        new = log.new_rows
        hints = in_the_list(
            self.sieve,
            is_open=thing is not None and not log.model.blocks.is_folded(thing.id),
            is_behind=bool(new),
            is_in_chat=thing is not None and bool(thing.entry_id),
        )
        if new:
            told, style = f"{new:,} new ↓  ", "$dim"
        elif thing is not None and self.has_focus:
            told, style = f"{exact_time(thing.began_at)}  ", "$foreground"
        else:
            told, style = "", ""
        keys = render_pane_keys(hints_now(hints, "trace", self._keymap), width - len(told))
        return Content.assemble((told, style), keys)
