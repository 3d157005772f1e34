"""The recall screen: it routes keys and searches as one types; what it shows is drawn elsewhere."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from textual import events, work
from textual.app import ComposeResult
from textual.message import Message

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import DiligentError, StorageError
from diligent_tui.domain.progress import Pace, Tell
from diligent_tui.domain.times import Clock, now
from diligent_tui.session.recall import Hit, readable_text
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.recall import RECALL_COMMANDS
from diligent_tui.ui.screens.recall.edges import RecallState
from diligent_tui.ui.screens.recall.found import Asked, Found
from diligent_tui.ui.screens.recall.view import RecallView
from diligent_tui.ui.screens.sessions.field import LineField
from diligent_tui.ui.widgets.ending_work import EndsItsWork

Search = Callable[[str, Tell], Awaitable[tuple[Hit, ...]]]
Read = Callable[[str], Entry]
WHILE_TYPING = frozenset({"enter", "up", "down", "pageup", "pagedown", "shift+up", "shift+down", "tab", "escape"})
"""Keys that act although one types; these are always ours."""
OURS = by_key(RECALL_COMMANDS, OUR_KEYS)


@dataclass(frozen=True, slots=True)
class RecallChoice:
    """Go to an entry in the chat, or quote it; `text` is the quote."""

    kind: Literal["show", "quote"]
    entry_id: str
    text: str = ""


class RecallScreen(EndsItsWork[RecallChoice | None]):
    """A line to type in, what was found, and its whole text; closes with what the user chose, or with nothing."""

    class CopyRequested(Message):
        """An entry is to be copied."""

        def __init__(self, text: str) -> None:
            """Carry the text to copy."""
            super().__init__()
            self.text = text

    def __init__(
        self,
        search: Search,
        read: Read,
        words: str = "",
        *,
        spill_folder: Path | None = None,
        keymap: Mapping[str, str] = OUR_KEYS,
        clock: Clock = now,
    ) -> None:
        """`read` gives an entry by its id and is called in threads; `words` are searched for at once."""
        super().__init__()
        self._search = search
        self._read = read
        self._spill_folder = spill_folder
        self._view = RecallView(clock, keymap)
        self._field = LineField.of(words)
        self._is_typing = True
        self._sought: str | None = None
        self._is_searching = False
        self._progress = ""
        self._notice, self._is_wrong = "", False
        self._text = ("", "")
        """The entry whose text was read last, and that text."""
        self._keys = by_key(RECALL_COMMANDS, keymap)
        self._deeds = self._table()

    def compose(self) -> ComposeResult:
        """One view; the screen itself only listens."""
        yield self._view

    def on_mount(self) -> None:
        """Look for the words that came along."""
        self._look()

    def on_key(self, event: events.Key) -> None:
        """Every key is looked at here, in the order they were typed."""
        if self._press(event.key, event.character):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is more words."""
        event.stop()
        self._type(self._field.paste(event.text))

    def on_hit_list_moved(self) -> None:
        """Show the text of what is under the cursor."""
        self._show_text()
        self._paint()
        self._read_texts()

    def on_hit_list_chosen(self) -> None:
        """A double click goes there."""
        self._go()

    def _press(self, key: str, character: str | None) -> bool:
        if self._is_typing and key not in WHILE_TYPING:
            if (typed := self._field.press(key, character)) is None:
                return False
            self._type(typed)
            return True
        keys = OURS if self._is_typing else self._keys
        command_id = keys.get(key) or keys.get(character or "")
        if command_id is None:
            return False
        self._notice, self._is_wrong = "", False
        self._deeds[command_id]()
        self._paint()
        return True

    def _table(self) -> dict[str, Callable[[], None]]:
        hits, original = self._view.hits, self._view.original
        return {
            "recall_go": self._go,
            "recall_quote": self._quote,
            "recall_copy": self._copy,
            "recall_words": self._change_mode,
            "recall_up": partial(hits.move, -1),
            "recall_down": partial(hits.move, 1),
            "recall_page_up": lambda: hits.move(-hits.page),
            "recall_page_down": lambda: hits.move(hits.page),
            "recall_first": lambda: hits.move(-len(hits.hits)),
            "recall_last": lambda: hits.move(len(hits.hits)),
            "recall_read_up": partial(original.scroll_rows, -1),
            "recall_read_down": partial(original.scroll_rows, 1),
            "recall_read_on": lambda: original.scroll_rows(original.page - 1),
            "recall_close": partial(self._close, None),
        }

    def _change_mode(self) -> None:
        self._is_typing = not self._is_typing or not self._view.hits.hits

    def _type(self, field: LineField) -> None:
        self._field, self._is_typing = field, True
        self._notice, self._is_wrong = "", False
        self._look()

    def _go(self) -> None:
        if found := self._view.hits.chosen:
            self._close(RecallChoice("show", found.hit.entry_id))

    def _quote(self) -> None:
        if found := self._view.hits.chosen:
            hit = found.hit
            about = f" {hit.about}" if hit.about else ""
            lines = [f"> {line}" for line in hit.snippet.split("\n")]
            text = "\n".join([f"From {hit.entry_id} ({hit.who}{about}):", *lines, ""])
            self._close(RecallChoice("quote", hit.entry_id, text))

    def _copy(self) -> None:
        text = self._text_of(self._view.hits.chosen)
        if text is None:
            self._notice = "It is still being read."
            return
        self.post_message(self.CopyRequested(text))
        self._notice = f"Copied, {fmt.count(len(text), 'character')}."

    def _close(self, choice: RecallChoice | None) -> None:
        # Keys typed behind the one that closes it are nobody's here.
        self._keys, self._is_typing = {}, False
        self.dismiss(choice)

    def _look(self) -> None:
        """Look for the words as they are now; while a search runs, the newest words wait for its end and no others."""
        if self._field.text != self._sought and not self._is_searching:
            self._is_searching = True
            self._find()
        self._paint()

    @work(group="search")
    async def _find(self) -> None:
        try:
            while (words := self._field.text) != self._sought:
                hits = await self._hits_of(words)
                self._sought = words
                self._view.hits.show(hits, Asked.of(words))
        finally:
            self._is_searching, self._progress = False, ""
        self._paint()

    async def _hits_of(self, words: str) -> Sequence[Found]:
        if not words.strip():
            return ()
        try:
            hits = await self._search(words, Pace("indexing", self._tell))
        except DiligentError as error:
            self._notice, self._is_wrong = f"{error.message} {error.advice}", True
            return ()
        return await asyncio.to_thread(lambda: [Found(hit, self._entry(hit.entry_id)) for hit in hits])

    def _tell(self, progress: str) -> None:
        """Called in the thread that searches."""
        self._progress = progress
        self.call_later(self._paint)

    def _entry(self, entry_id: str) -> Entry | None:
        try:
            return self._read(entry_id)
        except (KeyError, StorageError):
            return None

    @work(group="texts", exclusive=True)
    async def _read_texts(self) -> None:
        found = self._view.hits.chosen
        if found is None or self._text_of(found) is not None:
            return
        text = found.hit.snippet
        if found.entry is not None:
            text = await asyncio.to_thread(readable_text, found.entry, self._spill_folder)
        self._text = found.hit.entry_id, text
        self._show_text()

    def _show_text(self) -> None:
        found = self._view.hits.chosen
        self._view.original.show(found, self._text_of(found), Asked.of(self._sought or ""))

    def _text_of(self, found: Found | None) -> str | None:
        return self._text[1] if found is not None and found.hit.entry_id == self._text[0] else None

    def _paint(self) -> None:
        hits = self._view.hits
        self._view.show(
            RecallState(
                self._field,
                is_typing=self._is_typing,
                is_searching=self._is_searching,
                progress=self._progress,
                place=hits.place,
                hits=len(hits.hits),
                notice=self._notice,
                is_wrong=self._is_wrong,
            )
        )
