"""The sessions screen: it routes keys and reads in threads; what it shows is drawn elsewhere."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content

from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.times import Clock, now
from diligent_tui.session.files import SessionFile
from diligent_tui.session.shelf import Shelf
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.commands.sessions import SESSION_COMMANDS
from diligent_tui.ui.screens.sessions.field import LineField
from diligent_tui.ui.screens.sessions.modes import (
    Browsing,
    Counts,
    Deleting,
    Mode,
    Opening,
    Renaming,
    Searching,
    failed,
    said,
)
from diligent_tui.ui.screens.sessions.preview_pane import PreviewPane
from diligent_tui.ui.screens.sessions.reader import ShelfReader, is_read_only
from diligent_tui.ui.screens.sessions.session_list import SessionList
from diligent_tui.ui.screens.sessions.view import SessionsView
from diligent_tui.ui.widgets.ending_work import EndsItsWork

WHILE_SEARCHING = {
    "up": "session_up",
    "down": "session_down",
    "pageup": "session_page_up",
    "pagedown": "session_page_down",
}
"""Keys that move while letters are the words looked for."""


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """What to do with which session."""

    kind: Literal["resume", "fork", "export"]
    path: Path


class SessionsScreen(EndsItsWork[SessionChoice | None]):
    """A list with a preview; closes with what the user chose, or with nothing."""

    def __init__(
        self, shelf: Shelf, current_id: str | None, clock: Clock = now, keymap: Mapping[str, str] = OUR_KEYS
    ) -> None:
        """Show this shelf; the current session is marked and cannot be deleted."""
        super().__init__()
        self._keymap = keymap
        self._keys = by_key(SESSION_COMMANDS, keymap)
        self._shelf = shelf
        self._current_id = current_id
        self._clock = clock
        self._mode: Mode = Browsing()
        self._notice = Content("")
        self._words = ""
        self._is_closing = False
        self._reader = ShelfReader(shelf)
        self._wishes = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """One view; the screen itself only listens."""
        yield SessionsView(SessionList(self._shelf.known, self._current_id, self._clock), self._keymap)

    @property
    def list(self) -> SessionList:
        """The list."""
        return self.query_one(SessionList)

    def on_mount(self) -> None:
        """Paint first, then read."""
        self._paint()
        self.call_after_refresh(self._read)

    def on_key(self, event: events.Key) -> None:
        """Every key is looked at here, in the order they were typed."""
        if self._is_closing or self._press(event.key, event.character):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """A paste goes where one types."""
        event.stop()
        match self._mode:
            case Searching(field):
                self._search(field.paste(event.text))
            case Renaming(file, field):
                self._enter(Renaming(file, field.paste(event.text)))
            case Browsing() | Deleting():
                pass
            case _ as never:
                assert_never(never)

    def on_session_list_moved(self) -> None:
        """Look into what is under the cursor."""
        self._reader.look_at(self.list.file, self.list.seen)
        self._paint()
        self._read_ends()
        self._read_totals()

    def on_unmount(self) -> None:
        """Nothing is looked at any more, so nothing more is read."""
        self._reader.look_at(None, ())

    def on_session_list_chosen(self) -> None:
        """A double click resumes."""
        self._choose("resume")

    def _press(self, key: str, character: str | None) -> bool:
        match self._mode:
            case Browsing():
                return self._act(self._keys.get(key) or self._keys.get(character or "", ""))
            case Searching(field):
                return self._press_in_search(field, key, character)
            case Renaming(file, field):
                return self._press_in_rename(file, field, key, character)
            case Deleting(file):
                if key == "y":
                    self._delete(file)
                elif key in ("n", "enter", "escape"):
                    self._enter(Browsing())
                    self._tell(said("Kept."))
                return not _is_for_the_app(key)
            case _ as never:
                assert_never(never)

    def _press_in_search(self, field: LineField, key: str, character: str | None) -> bool:
        if key == "enter":
            self._choose("resume")
        elif key == "tab":
            self._enter(Browsing())
        elif key == "escape" or (key == "backspace" and not field.text):
            self._show_all()
        elif key in WHILE_SEARCHING:
            self._act(WHILE_SEARCHING[key])
        elif (typed := field.press(key, character)) is not None:
            self._search(typed)
        else:
            return not _is_for_the_app(key)
        return True

    def _press_in_rename(self, file: SessionFile, field: LineField, key: str, character: str | None) -> bool:
        if key == "enter":
            self._enter(Browsing())
            self._rename(file, field.text)
        elif key == "escape":
            self._enter(Browsing())
            self._tell(said("It keeps its name."))
        elif (typed := field.press(key, character)) is not None:
            self._enter(Renaming(file, typed))
        else:
            return not _is_for_the_app(key)
        return True

    def _act(self, command_id: str) -> bool:
        page = max(1, self.list.size.height - 1)
        match command_id:
            case "session_resume":
                self._choose("resume")
            case "session_fork":
                self._choose("fork")
            case "session_export":
                self._choose("export")
            case "session_search":
                self._search(LineField.of(self._words))
            case "session_rename":
                self._ask_name()
            case "session_delete":
                self._ask_delete()
            case "session_undo":
                self._undo()
            case "session_close":
                self._step_back()
            case "session_up":
                self.list.move(-1)
            case "session_down":
                self.list.move(1)
            case "session_page_up":
                self.list.move(-page)
            case "session_page_down":
                self.list.move(page)
            case "session_first":
                self.list.move(-len(self.list.files))
            case "session_last":
                self.list.move(len(self.list.files))
            case _:
                return False
        return True

    def _choose(self, kind: Literal["resume", "fork", "export"]) -> None:
        file = self.list.file
        if file is None:
            return
        if not self._reader.can_be_opened(file):
            self._enter(Browsing())
            key = key_now("session_delete", self._keymap)
            self._tell(said("This file holds no session that could be opened.", key, "delete"))
        elif kind == "resume" and self._is_current(file):
            self._close(None)
        else:
            self._close(SessionChoice(kind, file.path))

    def _ask_name(self) -> None:
        file = self.list.file
        if file is None:
            return
        if self._is_current(file):
            self._tell(said("You are in this session. Rename it from the prompt with", "/name", "WORDS"))
            return
        summary = self._shelf.known(file)
        self._enter(Renaming(file, LineField.of(summary.name or "" if summary else "")))

    def _ask_delete(self) -> None:
        file = self.list.file
        if file is None:
            return
        if self._is_current(file):
            self._tell(said("You are in this session, so it cannot be deleted. Resume another one first."))
            return
        self._enter(Deleting(file, self._title(file)))

    def _step_back(self) -> None:
        if self._words:
            self._show_all()
        else:
            self._close(None)

    def _close(self, choice: SessionChoice | None) -> None:
        self._is_closing = True
        self.dismiss(choice)

    def _search(self, field: LineField) -> None:
        is_new = field.text != self._words
        self._mode = Searching(field)
        self._words = field.text
        self._filter(at=None if is_new else self.list.file)

    def _show_all(self) -> None:
        self._mode = Browsing()
        self._words = ""
        self._filter(at=self.list.file)

    def _filter(self, at: SessionFile | None) -> None:
        files = self._reader.files
        shown = self._shelf.find_known(self._words, files) if self._words.strip() else files
        self.list.show(shown, self._words, at=at)
        self._paint()

    def _enter(self, mode: Mode) -> None:
        self._mode, self._notice = mode, Content("")
        self._paint()

    def _tell(self, notice: Content) -> None:
        """Say what became of a wish; whoever types meanwhile is not disturbed and reads it afterwards."""
        self._notice = notice
        self._paint()

    @work(group="wish")
    async def _rename(self, file: SessionFile, name: str) -> None:
        async with self._wishes:
            try:
                await self._shelf.rename(file.path, name)
            except DiligentError as error:
                self._tell(failed(error))
                return
            await self._reload(at=file.path)
            self._tell(said("Renamed."))

    def _delete(self, file: SessionFile) -> None:
        """The row goes at once, so that the next key means the next row."""
        self._enter(Browsing())
        self._reader.forget(file)
        self._filter(at=file)
        self._move_to_trash(file)

    @work(group="wish")
    async def _move_to_trash(self, file: SessionFile) -> None:
        async with self._wishes:
            try:
                await asyncio.to_thread(self._shelf.to_trash, file.path)
            except DiligentError as error:
                await self._reload(at=file.path)
                self._tell(failed(error))
                return
            self._tell(said("Moved to trash."))

    @work(group="wish")
    async def _undo(self) -> None:
        async with self._wishes:
            if not self._shelf.deleted:
                self._tell(said("Nothing was deleted here. What was deleted earlier is kept in .diligent/trash."))
                return
            try:
                path = await asyncio.to_thread(self._shelf.restore, self._shelf.deleted[-1])
            except DiligentError as error:
                self._tell(failed(error))
                return
            await self._reload(at=path)
            self._tell(said("Brought back."))

    async def _reload(self, at: Path) -> None:
        """List the folder anew with the cursor on one file."""
        await self._reader.list_files()
        await self._reader.read_rows(self._show_rows, self._paint_top)
        self._filter(at=next((file for file in self._reader.files if file.path == at), self.list.file))

    @work(group="read", exclusive=True)
    async def _read(self) -> None:
        await self._reader.list_files()
        self._filter(at=None)
        await self._reader.read_rows(self._show_rows, self._paint_top)

    @work(group="ends")
    async def _read_ends(self) -> None:
        await self._reader.read_ends(self._show_preview)

    @work(group="totals")
    async def _read_totals(self) -> None:
        await self._reader.read_totals(self._show_figures)

    def _show_rows(self) -> None:
        """More rows are read: more may match, and those in sight are drawn anew."""
        if self._words:
            self._filter(at=self.list.file)
        else:
            self._show_figures()
            self.on_session_list_moved()

    def _show_figures(self) -> None:
        self.list.refresh()
        self._show_preview()

    def _show_preview(self) -> None:
        file = self.list.file
        summary = self._shelf.known(file) if file else None
        end = self._reader.end_of(file)
        self.query_one(PreviewPane).show(summary, end, is_current=file is not None and self._is_current(file))

    def _paint(self) -> None:
        self.query_one(SessionsView).show(
            self._mode, self._notice, self._counts(), opening=self._opening, can_undo=bool(self._shelf.deleted)
        )
        self._show_preview()

    def _paint_top(self) -> None:
        self.query_one(SessionsView).show_counts(self._counts())

    def _counts(self) -> Counts:
        reader = self._reader
        return Counts(len(reader.files), reader.unread, len(self.list.files), self._words, is_listed=reader.is_listed)

    @property
    def _opening(self) -> Opening:
        file = self.list.file
        if file is None or not self._reader.can_be_opened(file):
            return "nothing"
        if self._is_current(file):
            return "go back to it"
        return "look at it" if is_read_only(self._shelf.known(file)) else "resume"

    def _is_current(self, file: SessionFile) -> bool:
        return file.id == self._current_id

    def _title(self, file: SessionFile) -> str:
        summary = self._shelf.known(file)
        return summary.title if summary else file.id


def _is_for_the_app(key: str) -> bool:
    """Keys that mean the same everywhere, such as help and quit, also while one types."""
    return key in ("ctrl+q", "ctrl+p", "ctrl+c") or (key[0] == "f" and key[1:].isdigit())
