"""Puts a dropped fact back into a summary, at the end of the section where such facts stand."""

from diligent_tui.compaction.coverage import CoverageItem, rescued_line
from diligent_tui.compaction.sections import CONTEXT, DECISIONS, RULES, heading_of, says_nothing

SECTIONS = {"decision": DECISIONS, "constraint": RULES}
"""Facts of other kinds are critical context."""


def rescued(summary: str, item: CoverageItem) -> str:
    """The summary with the fact; a section that is missing is added at the end."""
    section = SECTIONS.get(item.kind, CONTEXT)
    line = " ".join(rescued_line(item).split())
    lines = summary.rstrip().split("\n")
    start = next((number for number, text in enumerate(lines) if _is_heading(text, section)), None)
    if start is None:
        return "\n".join([*lines, "", f"## {section}", "", line])
    end = next((number for number in range(start + 1, len(lines)) if heading_of(lines[number]) is not None), len(lines))
    last = max((number for number in range(start, end) if lines[number].strip()), default=start)
    if last > start and says_nothing(lines[last]):
        return "\n".join([*lines[:last], line, *lines[last + 1 :]])
    gap = [""] if last == start else []
    return "\n".join([*lines[: last + 1], *gap, line, *lines[last + 1 :]])


def _is_heading(line: str, section: str) -> bool:
    return (heading_of(line) or "").lower().startswith(section.lower())
