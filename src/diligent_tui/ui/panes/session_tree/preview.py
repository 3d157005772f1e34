"""The entry under the cursor at the foot of the tree: what it is, exactly when, and how it begins."""

from textual.content import Content
from textual.geometry import Size

from diligent_tui.domain.entries import BranchSummaryEntry, CompactionEntry, CompactionRevertEntry, Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.plain_text import StreamCleaner, clean_line
from diligent_tui.domain.times import Stamp, from_stamp
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.bare import bare_words
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.panes.session_tree.words import RowWords, full_text

HEAD_CHARS = 2_000
"""More than a preview shows at any width."""


def preview(entry: Entry | None, words: RowWords, entry_id: str, note: str, room: Size) -> Content:
    """A line about the entry, as much as fits, then its text, with … where there is more of it."""
    facts = ""
    for fact in filter(None, (exact_time(words.stamp), clean_line(entry_id, 16), note, words.noun)):
        longer = f"{facts} · {fact}" if facts else fact
        facts = longer if len(longer) <= room.width else facts
    # What a revert did is seen in others, which its row has looked at.
    text = words.text if entry is None or isinstance(entry, CompactionRevertEntry) else _head(entry)
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    return Content.assemble((f"{facts}\n", "$dim"), "\n".join(_rows(lines, room.width, room.height - 1)))


def _head(entry: Entry) -> str:
    text = StreamCleaner().feed(full_text(entry)[:HEAD_CHARS])
    match entry:
        case MessageEntry(message=AssistantMessage()) | CompactionEntry() | BranchSummaryEntry():
            return bare_words(text)
        case _:
            return text


def _rows(lines: list[str], width: int, most: int) -> list[str]:
    width = max(1, width)
    rows = [line[found.begin : found.end] for line in lines for found in break_text(line, width)]
    if len(rows) <= max(1, most):
        return rows
    kept = rows[: max(1, most)]
    return [*kept[:-1], f"{fit(kept[-1], width - 1).removesuffix('…').rstrip()}…"]


def exact_time(stamp: Stamp | None) -> str:
    """Day and time where the user lives, to the second."""
    moment = from_stamp(stamp)
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"
