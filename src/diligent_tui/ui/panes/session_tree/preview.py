"""The entry under the cursor at the foot of the tree: what it is, exactly when, and how it begins."""

from textual.content import Content

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.plain_text import StreamCleaner, clean_line
from diligent_tui.domain.times import Stamp, from_stamp
from diligent_tui.ui.panes.session_tree.words import RowWords, full_text

HEAD_CHARS = 2_000
"""More than a preview shows at any width."""


def preview(entry: Entry | None, words: RowWords, entry_id: str, note: str, width: int) -> Content:
    """A line about the entry, as much as fits, then its text."""
    facts = ""
    for fact in filter(None, (exact_time(words.stamp), clean_line(entry_id, 16), note, words.noun)):
        longer = f"{facts} · {fact}" if facts else fact
        facts = longer if len(longer) <= width else facts
    text = words.text if entry is None else StreamCleaner().feed(full_text(entry)[:HEAD_CHARS])
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    return Content.assemble((f"{facts}\n", "$dim"), "\n".join(lines))


def exact_time(stamp: Stamp | None) -> str:
    """Day and time where the user lives, to the second."""
    moment = from_stamp(stamp)
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"
