"""The tools pane: what its keys do, and the wishes that its calls are asked for; the pane itself changes nothing."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from textual import events, work

from diligent_tui.domain.entries import Entry
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.commands.tools import TOOL_COMMANDS
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.panes.tools import keys, wishes
from diligent_tui.ui.panes.tools.byte_source import read_whole
from diligent_tui.ui.panes.tools.call_book import Lookup
from diligent_tui.ui.panes.tools.drawing import Count
from diligent_tui.ui.panes.tools.finder import ToolsFinder
from diligent_tui.ui.widgets.diff import SIDE_BY_SIDE_COLUMNS

EDGE_COLUMNS = 4
"""Rule, air and scrollbar of the pane."""
MOST_COPIED_BYTES = 5_000_000
"""More than that no terminal takes."""


def _no_entry(entry_id: str) -> Entry:
    raise KeyError(entry_id)


class ToolsPane(ToolsFinder):
    """Every call of a session, worked in by keys; `show_saved` gives it a path and `take` what happens."""

    BORDER_TITLE = "Tools"

    Rerun = wishes.Rerun
    ToChat = wishes.ToChat
    ToTree = wishes.ToTree
    CopyRequested = wishes.CopyRequested

    def __init__(
        self,
        lookup: Lookup = _no_entry,
        read: Lookup | None = None,
        keymap: Mapping[str, str] = OUR_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Read entries in sight through `lookup`; `read` is for search and filter, which ask for many in a thread."""
        super().__init__(lookup, read, clock)
        self.keymap = keymap
        self._keys = by_key(TOOL_COMMANDS, keymap)
        self.deeds = self._table()
        self._is_widened = False

    def read_through(
        self, lookup: Lookup, read: Lookup | None = None, *, spill_folder: Path | None, count: Count | None = None
    ) -> None:
        """Read another session's entries from now on; `show_saved` follows with its path."""
        self.book.lookup, self._read_many = lookup, read or lookup
        self._spill_folder = spill_folder
        self._estimate = count or self._estimate

    def toggle_details(self) -> None:
        """Open the details of the call, or close them."""
        if self.has_class("-whole"):
            self.close_output()
        elif self.facts is not None:
            self.toggle_class("-open")
            self._give_back_width()
            self.show_details()
            self.call_after_refresh(self.show_all)

    def open_output(self) -> None:
        """Open the whole output of the call."""
        key = self.rows.cursor_id
        if key is None or self.facts is None:
            return
        details = self.book.details(key)
        self.add_class("-whole")
        path = self._spilled(details.spill)
        try:
            if path is None:
                self.whole.open_text(details.output)
            else:
                self.whole.open_file(path)
            self._say("")
        except OSError:
            self.whole.open_text(details.output)
            self._say("The file with the whole output is gone. This is what the model was shown.")
        self.call_after_refresh(self.show_all)

    def close_output(self) -> None:
        """Back to the list."""
        self.close_whole()
        self._give_back_width()
        self.show_details()
        self._say("")
        self.call_after_refresh(self.show_all)

    def toggle_output(self) -> None:
        """Open the whole output, or go back."""
        if self.has_class("-whole"):
            self.close_output()
        else:
            self.open_output()

    def toggle_diff(self) -> None:
        """The diff side by side, on the whole width if it needs that; or one below the other."""
        key = self.rows.cursor_id
        if self.has_class("-whole"):
            return
        if key is None or not self.book.details(key).diff:
            self._say("This call changed no file.")
            return
        if self.details.diff_style == "unified" and not self._has_room_for_two:
            self._say(f"Side by side needs {SIDE_BY_SIDE_COLUMNS} columns.")
            return
        self.add_class("-open")
        self.details.toggle_diff()
        if self.details.diff_style == "unified":
            self._give_back_width()
        elif self.details.scrollable_content_region.width < SIDE_BY_SIDE_COLUMNS:
            self._is_widened = True
            self.add_class("-wide")
        self.show_details()
        self._say("")

    def toggle_wide(self) -> None:
        """Use the whole width, or give it back; a pane that has it anyway stays as it is."""
        if self._width_hint() is None:
            return
        self._is_widened = False
        self.toggle_class("-wide")

    def copy(self) -> None:
        """Ask to copy what the call changed, or all that it said."""
        key = self.rows.cursor_id
        if key is not None and self.facts is not None:
            details = self.book.details(key)
            path = None if details.diff else self._spilled(details.spill)
            if path is None:
                self.post_message(self.CopyRequested(details.diff or details.output))
            else:
                self._copy_whole(path, details.output)

    @work(group="tools-copy", exclusive=True)
    async def _copy_whole(self, path: Path, shown: str) -> None:
        try:
            whole = await asyncio.to_thread(read_whole, path, MOST_COPIED_BYTES)
        except OSError:
            self._say("The file with the whole output is gone. Copied what the model was shown.")
            self.post_message(self.CopyRequested(shown))
            return
        if whole is None:
            self._say("Too much to copy, so where it stands is copied.")
        self.post_message(self.CopyRequested(str(path) if whole is None else whole))

    def rerun(self) -> None:
        """Ask to run the call again."""
        facts, key = self.facts, self.rows.cursor_id
        if facts is None or key is None:
            return
        if facts.has_ended:
            self.post_message(self.Rerun(facts.call_id, facts.tool, self.book.details(key).arguments))
        else:
            self._say(sentence_now("It has not ended yet. {stop} in the prompt stops it.", self.keymap))

    def to_chat(self) -> None:
        """Ask to see the call in the chat."""
        if facts := self.facts:
            self.post_message(self.ToChat(facts.entry_id, facts.call_id))

    def to_tree(self) -> None:
        """Ask to see the call in the tree."""
        facts = self.facts
        if facts is not None and facts.entry_id is None:
            self._say("It comes into the tree when it has ended.")
        elif facts is not None and facts.entry_id is not None:
            self.post_message(self.ToTree(facts.entry_id))

    def go_back(self) -> None:
        """Leave what is open, the newest first."""
        if self.has_class("-whole"):
            self.close_output()
        elif self._is_searching:
            self._leave_search()
        elif self.has_class("-wide"):
            self._is_widened = False
            self.remove_class("-wide")
            if self.details.diff_style == "side by side":
                self.details.toggle_diff()
        elif self.has_class("-open"):
            self.toggle_details()
        else:
            self.list_all()

    def hints(self) -> Sequence[Hint]:
        """The keys of what is open, else of the list."""
        if self.has_class("-whole"):
            return keys.in_the_output(self._width_hint())
        if self.has_class("-open") and not self.has_class("-empty"):
            return keys.in_the_details(self.facts, self._diff_hint(), self._width_hint())
        return super().hints()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means here, before any later key is looked at."""
        if self.line.has_focus:
            return
        if self._is_asking:
            self.line.take_key(event)
            return
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        if command_id is None or (command_id == "tool_back" and not self._has_something_open()):
            return
        event.stop()
        self.deeds[command_id]()

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "tool_open": self.toggle_details,
            "tool_up": partial(self.step, -1),
            "tool_down": partial(self.step, 1),
            "tool_page_up": partial(self.step_page, -1),
            "tool_page_down": partial(self.step_page, 1),
            "tool_first": self.go_to_first,
            "tool_last": self.go_to_last,
            "tool_read_up": partial(self.read_on, -1),
            "tool_read_down": partial(self.read_on, 1),
            "tool_filter": self.next_filter,
            "tool_find": self.ask_for_words,
            "tool_next_match": partial(self.go_to_match, 1),
            "tool_previous_match": partial(self.go_to_match, -1),
            "tool_whole": self.toggle_output,
            "tool_diff": self.toggle_diff,
            "tool_wide": self.toggle_wide,
            "tool_copy": self.copy,
            "tool_rerun": self.rerun,
            "tool_to_chat": self.to_chat,
            "tool_to_tree": self.to_tree,
            "tool_back": self.go_back,
        }

    def _has_something_open(self) -> bool:
        is_open = any(self.has_class(name) for name in ("-whole", "-wide", "-open"))
        return is_open or self._is_searching or self.filter.chosen != "all"

    @property
    def _has_room_for_two(self) -> bool:
        return self.screen.size.width >= SIDE_BY_SIDE_COLUMNS + EDGE_COLUMNS

    def _diff_hint(self) -> Hint | None:
        key = self.rows.cursor_id
        if key is None or not self.book.details(key).diff:
            return None
        if self.details.diff_style == "side by side":
            return keys.UNIFIED
        return keys.SIDE_BY_SIDE if self._has_room_for_two else None

    def _width_hint(self) -> Hint | None:
        if self.has_class("-wide"):
            return None if self.screen.has_class("-narrow") else keys.NARROW
        return keys.WIDEN if self.outer_size.width < self.screen.size.width else None

    def _spilled(self, name: str | None) -> Path | None:
        """The file of a whole output; the name comes from the session's file and may be anything."""
        if not name or self._spill_folder is None or Path(name).name != name:
            return None
        return self._spill_folder / name

    def _give_back_width(self) -> None:
        if self._is_widened:
            self._is_widened = False
            self.remove_class("-wide")
            if self.details.diff_style == "side by side":
                self.details.toggle_diff()
