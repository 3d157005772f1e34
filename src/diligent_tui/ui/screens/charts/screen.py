"""The charts: a session in pictures, read in a thread; keys walk along its turns, and enter goes to one in the chat."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.worker import Worker

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.progress import Pace, Tell
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.charts import CHARTS_COMMANDS
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.key_line import Hint, render_keys
from diligent_tui.ui.screens.charts.board import ChartsBoard
from diligent_tui.ui.screens.charts.history import Turn
from diligent_tui.ui.screens.charts.sheet import Figures
from diligent_tui.ui.widgets.ending_work import EndsItsWork
from diligent_tui.ui.widgets.fitted import Fitted

CLOSE: Hint = ("esc", "close")
READ_AGAIN: Hint = ("r", "read again")
READING = "Reading …"
NOTHING = "Nothing has been said yet.\nAfter the first answer its context, cost and cache stand here."
WORDS_CHARS = 200


class ChartsScreen(EndsItsWork[str | None]):
    """Closes with the entry to show in the chat, or with nothing."""

    def __init__(
        self,
        begin: Callable[[], Callable[[Tell], Figures]],
        words_of: Callable[[str], str],
        name: str = "",
        *,
        keymap: Mapping[str, str] = OUR_KEYS,
        is_plain: bool = False,
    ) -> None:
        """What `begin` returns is called in a thread; `words_of` tells a prompt; `is_plain` draws with letters."""
        super().__init__()
        self.board = ChartsBoard(is_plain=is_plain)
        self.reading: Worker[None] | None = None
        """The reading that runs, or ran last."""
        self._begin = begin
        self._words_of = words_of
        self._name = clean_line(name)
        self._progress = ""
        self._keymap = keymap
        self._keys = by_key(CHARTS_COMMANDS, keymap)
        self._deeds = self._table()

    def compose(self) -> ComposeResult:
        """A line on top, the sheet, what is told of the chosen turn, and the keys."""
        yield Fitted(self._top, widget_id="charts-top")
        yield Fitted(self._teaching, widget_id="charts-teaching")
        yield self.board
        yield Fitted(self._told, widget_id="charts-told")
        yield Fitted(self._foot, widget_id="charts-keys")

    @property
    def turn(self) -> Turn | None:
        """The turn that is pointed at."""
        figures, chosen = self.board.figures, self.board.chosen
        return None if figures is None or chosen is None else figures.path.turns[chosen]

    def on_mount(self) -> None:
        """Read at once."""
        self._read_again()

    def on_key(self, event: events.Key) -> None:
        """Every key is looked at here, in the order they were typed."""
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        if command_id is None:
            return
        event.stop()
        event.prevent_default()
        self._deeds[command_id]()
        self._show_edges()

    def on_charts_board_drawn(self, message: ChartsBoard.Drawn) -> None:
        """Whether it can be scrolled is said at the foot."""
        message.stop()
        self._show_edges()

    def _table(self) -> dict[str, Callable[[], None]]:
        board = self.board
        return {
            "charts_left": partial(board.step_columns, -1),
            "charts_right": partial(board.step_columns, 1),
            "charts_previous": partial(board.step, -1),
            "charts_next": partial(board.step, 1),
            "charts_first": partial(board.choose, 0),
            "charts_last": partial(board.choose, -1),
            "charts_up": partial(board.scroll_rows, -1),
            "charts_down": partial(board.scroll_rows, 1),
            "charts_page_up": partial(board.scroll_pages, -1),
            "charts_page_down": partial(board.scroll_pages, 1),
            "charts_go": self._go,
            "charts_read": self._read_again,
            "charts_close": partial(self._close, None),
        }

    def _go(self) -> None:
        if (turn := self.turn) is not None and turn.entry_id:
            self._close(turn.entry_id)

    def _close(self, entry_id: str | None) -> None:
        # Keys typed behind the one that closes it are nobody's here.
        self._keys = {}
        self.dismiss(entry_id)

    def _read_again(self) -> None:
        if self.reading is None or self.reading.is_finished:
            self.reading = self._look()

    @work(group="charts")
    async def _look(self) -> None:
        self._progress = READING
        self._show_edges()
        self.board.show(await asyncio.to_thread(self._begin(), Pace("reading", self._tell)))
        self._progress = ""
        self._show_edges()

    def _tell(self, progress: str) -> None:
        """Called in the thread that reads."""
        self._progress = progress[:1].upper() + progress[1:]
        self.call_later(self._show_edges)

    def _show_edges(self) -> None:
        figures = self.board.figures
        self.set_class(figures is None or not figures.path.turns, "-empty")
        for edge in self.query(Fitted):
            edge.refresh()

    def _top(self, width: int) -> Content:
        top = Content.assemble((" Charts ", "bold $accent"), ("  ", ""), (self._name, "$dim"))
        if self._progress and self.board.figures is not None:
            top += Content(f"  {self._progress}")
        return top.truncate(max(1, width), ellipsis=True)

    def _teaching(self, width: int) -> Content:
        if self.board.figures is None:
            return Content(self._progress or READING)
        return Content.styled(NOTHING, "$dim")

    def _told(self, width: int) -> Content:
        figures, turn, chosen = self.board.figures, self.turn, self.board.chosen
        if figures is None or turn is None or chosen is None:
            return Content("")
        usage = turn.usage
        pieces = (
            f"turn {chosen + 1:,} of {len(figures.path.turns):,}",
            f"{fmt.tokens(turn.context_tokens) if turn.requests else '–'} in context",
            fmt.count(turn.requests, "request"),
            f"↑{fmt.tokens(usage.prompt_tokens)} ↓{fmt.tokens(usage.output_tokens)}",
            f"cache {fmt.percent(turn.cache_percent)}",
            fmt.money(turn.cost),
        )
        words = clean_line(self._words_of(turn.entry_id)[:WORDS_CHARS]) if turn.entry_id else ""
        told = Content.assemble((f" {pieces[0]}  ", "$accent"), f"{'  '.join(pieces[1:])}  ", (words, "$dim"))
        return told.truncate(max(1, width), ellipsis=True)

    def _foot(self, width: int) -> Content:
        return Content(" ") + render_keys(hints_now(self._hints(), "charts", self._keymap), width - 1)

    def _hints(self) -> list[Hint]:
        """The keys that do something now."""
        figures, turn = self.board.figures, self.turn
        if figures is None:
            return [CLOSE]
        hints: list[Hint] = [("← →", "walk the turns")] if figures.path.turns else []
        if turn is not None and turn.entry_id:
            hints.append(("⏎", "to the chat"))
        if figures.path.turns and self.board.is_taller:
            hints.append(("↑ ↓", "scroll"))
        return [*hints, READ_AGAIN, CLOSE]
