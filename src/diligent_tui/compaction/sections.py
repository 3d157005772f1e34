"""The headings of a summary, and the lines that stand under each; every reader and writer of summaries uses these."""

import re
from collections.abc import Mapping, Sequence

GOAL = "Goal"
RULES = "Constraints & Preferences"
PROGRESS = "Progress"
DONE, IN_PROGRESS, BLOCKED = "Done", "In Progress", "Blocked"
DECISIONS = "Key Decisions"
NEXT = "Next Steps"
CONTEXT = "Critical Context"
TURN_SO_FAR = "This Turn So Far"
CANDIDATES = "Knowledge Candidates"

KEY_SECTIONS = (GOAL, PROGRESS, CONTEXT)
LAYOUT = (
    (f"## {GOAL}", GOAL),
    (f"## {RULES}", RULES),
    (f"## {PROGRESS}\n\n### {DONE}", DONE),
    (f"### {IN_PROGRESS}", IN_PROGRESS),
    (f"### {BLOCKED}", BLOCKED),
    (f"## {DECISIONS}", DECISIONS),
    (f"## {NEXT}", NEXT),
    (f"## {CONTEXT}", CONTEXT),
)
NOTHING = "(none)"

_HEADING = re.compile(r"(?:#{1,4}[ \t]+|\*\*)(?:\d{1,2}[.)][ \t]+)?(?P<name>[^\n#*]{1,60}?)[ \t:*]*\Z")
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,3}[.)])\s+")
_EMPTY = re.compile(r"\W*(?:none|n/?a|nothing|not applicable|no items?|\.\.\.|…|-)?\W*\Z", re.IGNORECASE)

Sections = dict[str, list[str]]


def heading_of(line: str) -> str | None:
    """The name in a heading, or None if the line is none."""
    found = _HEADING.match(line.strip())
    return found["name"].strip() if found else None


def has_section(summary: str, name: str) -> bool:
    """Whether a heading begins with that name, in any case."""
    wanted = name.lower()
    return any((heading_of(line) or "").lower().startswith(wanted) for line in summary.splitlines())


def sections_in(summary: str) -> Sections:
    """The lines of a summary under our own headings, without bullets; what says nothing is left out."""
    names = {name.lower(): name for _, name in LAYOUT}
    sections: Sections = {name: [] for name in names.values()}
    current: list[str] | None = None
    for line in summary.splitlines():
        if (heading := heading_of(line)) is not None:
            known = names.get(heading.lower())
            current = sections[known] if known else None
        elif line.startswith("---"):
            current = None
        elif current is not None and not says_nothing(line):
            current.append(_BULLET.sub("", line).strip())
    return sections


def says_nothing(line: str) -> bool:
    """True for a line that only fills a place, such as `- (none)`."""
    return _EMPTY.match(_BULLET.sub("", line)) is not None


def write_sections(sections: Mapping[str, Sequence[str]]) -> str:
    """A summary out of lines."""
    parts = [
        f"{heading}\n\n" + "\n".join(f"- {line}" for line in sections.get(name) or [NOTHING])
        for heading, name in LAYOUT
    ]
    return "\n\n".join(parts)


def take_section(summary: str, name: str) -> tuple[str, list[str]]:
    """A summary without the section of that name, and the section's lines as they stood."""
    wanted = name.lower()
    kept: list[str] = []
    taken: list[str] = []
    is_inside = False
    for line in summary.splitlines():
        if (heading := heading_of(line)) is not None:
            is_inside = heading.lower().startswith(wanted)
            if is_inside:
                continue
        (taken if is_inside else kept).append(line)
    return "\n".join(kept).strip(), taken
