"""Entries that were decoded lately, kept so that they need not be read again; the file has them all."""

import threading
from collections import OrderedDict

from diligent_tui.domain.entries import Entry

MOST_BYTES = 12 * 1024 * 1024
"""A context of a million tokens fits: some 4 MB of words in some 2,000 entries."""
TEXT_FACTOR = 2
"""A text with one sign beyond Latin, such as the … of every cut output, takes two bytes for each of its characters."""
ENTRY_BYTES = 2_048
"""What an entry takes beside its words, as measured: its objects, their fields and their sets of names."""


class DecodedEntries:
    """Entries by id, the longest unused first to go; any thread may ask, for a summary is checked while one reads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with none."""
        self.held_bytes = 0
        self._most_bytes = most_bytes
        self._entries: OrderedDict[str, tuple[Entry, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many entries are kept."""
        return len(self._entries)

    def get(self, entry_id: str) -> Entry | None:
        """The entry, if it is still here."""
        with self._lock:
            found = self._entries.get(entry_id)
            if found is None:
                return None
            self._entries.move_to_end(entry_id)
            return found[0]

    def keep(self, entry: Entry, line_bytes: int) -> None:
        """Keep an entry whose line is so long, and let others go; the newest stays, whatever its size."""
        held_bytes = TEXT_FACTOR * line_bytes + ENTRY_BYTES
        with self._lock:
            known = self._entries.pop(entry.id, None)
            self._entries[entry.id] = entry, held_bytes
            self.held_bytes += held_bytes - (known[1] if known else 0)
            while self.held_bytes > self._most_bytes and len(self._entries) > 1:
                _, (_, freed_bytes) = self._entries.popitem(last=False)
                self.held_bytes -= freed_bytes
