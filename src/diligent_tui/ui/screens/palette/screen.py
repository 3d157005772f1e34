"""The palette screen: it routes keys and searches as one types; sources are read and searched in threads."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.screens.palette.listing import PaletteList
from diligent_tui.ui.screens.palette.things import Kind, Section, Source, Thing, search
from diligent_tui.ui.screens.sessions.field import LineField
from diligent_tui.ui.widgets.ending_work import EndsItsWork
from diligent_tui.ui.widgets.fitted import Fitted

PORTION_THINGS = 1_000
"""So many are read before they are shown; the reading of a long session goes on meanwhile."""
HINT = "Find a command, a session, words of this session, knowledge, a file, a model"
KEYS = (("⏎", "go"), ("↑ ↓", "move"), ("tab", "next kind"), ("esc", "close"))
KEYS_IN_VAIN = (("ctrl+u", "clear"), ("esc", "close"))


class PaletteScreen(ModalScreen[Thing | None], EndsItsWork[Thing | None]):
    """A line to type in and what it means; closes with what was chosen, or with nothing."""

    def __init__(self, sources: Mapping[Kind, Source]) -> None:
        """Take the sources in the order in which they are shown."""
        super().__init__()
        self._sources = sources
        self._known: dict[Kind, list[Thing]] = {kind: [] for kind in sources}
        self._field = LineField()
        self._list = PaletteList()
        self._line = Fitted(self._draw_line, widget_id="palette-line")
        self._foot = Fitted(self._draw_foot, widget_id="palette-foot")
        self._sections: tuple[Section, ...] = ()
        self._is_searching = False
        self._is_due = False
        self._choice_is_due = False
        self._still_read = len(sources)
        self._is_closed = False
        self._deeds: Mapping[str, Callable[[], None]] = {
            "enter": self._choose,
            "escape": partial(self._close, None),
            "up": partial(self._list.move, -1),
            "ctrl+p": partial(self._list.move, -1),
            "down": partial(self._list.move, 1),
            "ctrl+n": partial(self._list.move, 1),
            "pageup": lambda: self._list.move(-self._list.page),
            "pagedown": lambda: self._list.move(self._list.page),
            "tab": self._list.next_section,
        }

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="palette"):
            yield self._line
            yield self._list
            yield self._foot

    def on_mount(self) -> None:
        """Ask every source; what is there first is shown first."""
        for kind, source in self._sources.items():
            self._read(kind, source)

    def on_key(self, event: events.Key) -> None:
        """Every key is looked at here, in the order they were typed."""
        event.stop()
        event.prevent_default()
        if self._is_closed:
            return
        if deed := self._deeds.get(event.key):
            deed()
        elif (typed := self._field.press(event.key, event.character)) is not None:
            self._type(typed)

    def on_paste(self, event: events.Paste) -> None:
        """A paste is more words."""
        event.stop()
        self._type(self._field.paste(event.text))

    def on_palette_list_chosen(self) -> None:
        """A double click goes there."""
        self._choose()

    def on_palette_list_moved(self) -> None:
        """Say anew how much is below."""
        self._foot.refresh()

    @work(group="sources")
    async def _read(self, kind: Kind, source: Source) -> None:
        things = iter(await asyncio.to_thread(source))
        while portion := await asyncio.to_thread(lambda: list(islice(things, PORTION_THINGS))):
            self._known[kind] += portion
            self._look()
        self._still_read -= 1
        self._look()

    def _type(self, field: LineField) -> None:
        self._field = field
        self._choice_is_due = False
        self._line.refresh()
        self._look()

    def _look(self) -> None:
        """Search soon; while a search runs, the newest words wait for its end and no others."""
        self._is_due = True
        if not self._is_searching:
            self._is_searching = True
            self._find()

    @work(group="search")
    async def _find(self) -> None:
        try:
            while self._is_due:
                self._is_due = False
                words = self._field.text
                known: dict[Kind, list[Thing]] = {kind: list(things) for kind, things in self._known.items()}
                self._sections = await asyncio.to_thread(search, words, known)
                is_vain = bool(words.strip()) and not self._sections and not self._still_read
                self._list.show(self._sections, words, is_vain=is_vain)
                self._foot.refresh()
        finally:
            self._is_searching = False
        if self._choice_is_due:
            self._choose()

    def _choose(self) -> None:
        """Take what the words mean by now; what is typed quicker than it is found waits for the end of the search."""
        chosen = None if self._is_searching else self._list.chosen
        self._choice_is_due = chosen is None and bool(self._is_searching or self._still_read)
        if chosen is not None:
            self._close(chosen)

    def _close(self, chosen: Thing | None) -> None:
        if not self._is_closed:
            # Keys typed behind the one that closes it are nobody's here.
            self._is_closed = True
            self.dismiss(chosen)

    def _draw_line(self, width: int) -> Content:
        sign = Content.styled("› ", "$accent")
        if not self._field.text:
            return sign + Content.assemble((" ", "reverse"), (HINT, "$dim")).truncate(max(1, width - 2), ellipsis=True)
        return sign + self._field.draw(max(1, width - 2))

    def _draw_foot(self, width: int) -> Content:
        notes = ["reading …"] if self._still_read else []
        notes += [f"{below:,} more ↓"] if (below := self._list.below) else []
        note = "   ".join(notes)
        keys = render_keys(KEYS_IN_VAIN if self._field.text and not self._sections else KEYS, width - len(note) - 2)
        return keys + Content(" " * max(2, width - keys.cell_length - len(note))) + Content.styled(note, "$dim")
