"""Finds words in all entries of a tree; meant for a thread, and quick the second time."""

from collections.abc import Iterable, Mapping

from diligent_tui.domain.entries import CompactionRevertEntry, Entry
from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.panes.session_tree.words import REDONE, Lookup, full_text, is_redo, read_entry

MOST_KEPT_CHARS = 16_000_000
"""Texts beyond this are read from the file at each search, so that a huge session does not fill the memory."""


class TreeTexts:
    """The texts of entries as they are searched; capitals count only when some are typed."""

    def __init__(self, lookup: Lookup) -> None:
        """Read entries through `lookup`, which must bear to be called in a thread."""
        self._lookup = lookup
        self._kept: dict[str, str] = {}
        self._kept_chars = 0

    def matches(self, entry_ids: Iterable[str], labels: Mapping[str, str], words: str) -> list[str]:
        """Those entries whose text or label has the words, in the order given."""
        if not words:
            return []
        if words != words.lower():
            return [entry_id for entry_id in entry_ids if words in self._text(entry_id, labels)]
        return [entry_id for entry_id in entry_ids if words in self._text(entry_id, labels).lower()]

    def _text(self, entry_id: str, labels: Mapping[str, str]) -> str:
        text = self._kept.get(entry_id)
        if text is None:
            entry = read_entry(self._lookup, entry_id)
            text = "" if entry is None else self._said(entry)
            if self._kept_chars + len(text) <= MOST_KEPT_CHARS:
                self._kept[entry_id] = text
                self._kept_chars += len(text)
        label = labels.get(entry_id)
        return f"{label}\n{text}" if label else text

    def _said(self, entry: Entry) -> str:
        if isinstance(entry, CompactionRevertEntry) and is_redo(entry, self._lookup):
            return REDONE
        return clean(full_text(entry))
