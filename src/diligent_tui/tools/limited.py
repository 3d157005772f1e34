"""Brings a long answer down to the limit: both ends of it in whole lines, and all of it in a file that is named."""

from diligent_tui.tools.base import Call, Outcome
from diligent_tui.tools.output import HeadTail
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.spill import Spill

SENTENCES_BYTES = 512


def limited(lines: list[str], notes: list[str], call: Call) -> Outcome:
    """The lines and then the notes; if they are too long, as many lines of both ends as fit. Writes a file."""
    whole = "\n".join([*lines, *notes])
    limit_bytes = call.workplace.output_limit_bytes
    if len(whole.encode()) <= limit_bytes:
        return Outcome(whole)
    ends = HeadTail(
        max(limit_bytes - SENTENCES_BYTES - sum(len(note.encode()) + 1 for note in notes), limit_bytes // 2)
    )
    ends.feed("\n".join(lines).encode())
    kept = ends.kept()
    head = kept.head.rpartition("\n")[0] or kept.head
    tail = kept.tail.partition("\n")[2] or kept.tail
    shown = head.count("\n") + tail.count("\n") + 2
    spill = Spill(call.workplace.spill_folder / f"{call.entry_id}.txt")
    spill.write(f"{whole}\n".encode())
    spill.finish()
    middle = f"[… shown: {shown:,} of {len(lines):,} lines. {_whereabouts(spill, call)} …]"
    return Outcome("\n".join([head, middle, tail, *notes]), spill=spill.path.name if spill.saved_bytes else None)


def _whereabouts(spill: Spill, call: Call) -> str:
    if not spill.saved_bytes:
        return f"The rest could not be saved: {spill.problem}"
    root = call.workplace.root
    path = spill.path.relative_to(root) if spill.path.is_relative_to(root) else spill.path
    return f"All are in {shown_name(str(path))}: read it with offset and limit, or ask for less"
