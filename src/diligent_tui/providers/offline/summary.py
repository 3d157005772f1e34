"""Writes a structured summary out of what was really said, and carries an earlier summary on."""

import re
from collections.abc import Iterable, Mapping

from diligent_tui.domain.requests import Request
from diligent_tui.providers.offline.answers import Answer, said
from diligent_tui.providers.offline.extracts import Extracts, extract, one_line

MOST_WORDS = 900
FEWEST_WORDS = 160
"""Below this even a short history is not squeezed: headings alone take some thirty words."""
SHARE_OF_SOURCE = 1 / 3

GOAL = "Goal"
RULES = "Constraints & Preferences"
DONE, IN_PROGRESS, BLOCKED = "Done", "In Progress", "Blocked"
DECISIONS = "Key Decisions"
NEXT = "Next Steps"
CONTEXT = "Critical Context"

_LAYOUT = (
    ("## Goal", GOAL),
    ("## Constraints & Preferences", RULES),
    ("## Progress\n\n### Done", DONE),
    ("### In Progress", IN_PROGRESS),
    ("### Blocked", BLOCKED),
    ("## Key Decisions", DECISIONS),
    ("## Next Steps", NEXT),
    ("## Critical Context", CONTEXT),
)
_MOST_LINES = {GOAL: 10, RULES: 15, DONE: 40, IN_PROGRESS: 5, BLOCKED: 10, DECISIONS: 12, NEXT: 6, CONTEXT: 60}
_DROPPED_FIRST = ((DONE, 3), (CONTEXT, 8), (DECISIONS, 3), (BLOCKED, 3), (RULES, 4), (DONE, 1), (CONTEXT, 3), (GOAL, 2))
_NOTHING = "(none)"
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"#{1,4} +(.+?)[ :]*$")

_ASKED_WORDS = re.compile(r"\bWrite [\d,]+ to (?P<most>[\d,]{1,9}) words\b")
BYTES_PER_WORD = 8
"""A summary is full of paths, and whoever asks for words has counted tokens."""
MOST_CANDIDATES = 5
TURN = "This Turn So Far"
CANDIDATES = "Knowledge Candidates"

Sections = dict[str, list[str]]


def summarise(request: Request) -> Answer:
    """The answer to a request for a summary."""
    found = extract(request)
    sections = _updated(parse_sections(found.previous), found)
    budget_words = int(
        min(MOST_WORDS, max(FEWEST_WORDS, found.source_words * SHARE_OF_SOURCE + _words(found.previous)))
    )
    if asked := _ASKED_WORDS.search(found.instruction):
        budget_words = min(budget_words, int(asked["most"].replace(",", "")))
    text = _written(_fitted(sections, budget_words)) + _asked_for(found)
    return said(request, text, "I sort what was said under the headings asked for.")


def parse_sections(summary: str) -> Sections:
    """The lines of a summary under our own headings; other headings, such as those of ledgers, are passed over."""
    names = {name.lower(): name for _, name in _LAYOUT}
    sections: Sections = {name: [] for name in names.values()}
    current: list[str] | None = None
    for line in summary.splitlines():
        if heading := _HEADING.match(line):
            name = names.get(heading[1].strip().lower())
            current = sections[name] if name else None
        elif line.startswith(("---", "<")):
            current = None
        elif current is not None and (text := _BULLET.sub("", line).strip()) not in ("", _NOTHING):
            current.append(text)
    return sections


def _updated(before: Mapping[str, list[str]], found: Extracts) -> Sections:
    prompts = [f"“{prompt}”" for prompt in found.prompts]
    newest = prompts[-1:] if found.running else []
    solved = [line for line in before[BLOCKED] if line.partition(": ")[0] in found.done]
    blocked = [f"{line}: {reason}" for line, reason in found.blocked.items()]
    moved = before[IN_PROGRESS] if found.prompts or found.done else []
    return {
        GOAL: _first_and_last(_joined(before[GOAL], prompts), _MOST_LINES[GOAL]),
        RULES: _newest(RULES, before[RULES], found.rules),
        DONE: _newest(DONE, before[DONE], moved, solved, found.done),
        IN_PROGRESS: _newest(IN_PROGRESS, newest, found.running) or ([] if moved else before[IN_PROGRESS]),
        BLOCKED: _newest(BLOCKED, (line for line in before[BLOCKED] if line not in solved), blocked),
        DECISIONS: _newest(DECISIONS, before[DECISIONS], found.decisions),
        NEXT: _next_steps(prompts, blocked, found),
        CONTEXT: _newest(CONTEXT, before[CONTEXT], found.names, (f"Error: {line}" for line in found.errors)),
    }


def _asked_for(found: Extracts) -> str:
    """The sections that are written only when the instruction names them."""
    text = ""
    if f"## {TURN}" in found.instruction:
        text += f"\n## {TURN}\n\n" + "\n".join(f"- {line}" for line in list(found.turn)[-12:] or [_NOTHING]) + "\n"
    if f"## {CANDIDATES}" in found.instruction and found.candidates:
        newest = list(found.candidates.items())[-MOST_CANDIDATES:]
        text += f"\n## {CANDIDATES}\n\n" + "\n".join(f"- ({kind}) {fact}" for fact, kind in newest) + "\n"
    return text


def _next_steps(prompts: list[str], blocked: list[str], found: Extracts) -> list[str]:
    steps = [f"Finish {line}" for line in found.running]
    steps += [f"Mend {line}" for line in blocked[-2:]]
    steps += [f"Go on from the user's newest words: {prompt}" for prompt in prompts[-1:]]
    return steps or ["Wait for what the user wants next"]


def _fitted(sections: Sections, budget_words: int) -> Sections:
    """The sections within the budget: the oldest lines go first, and the user's own words last."""
    kept = {name: list(lines) for name, lines in sections.items()}
    written = _written(kept)
    words, left_bytes = _words(written), budget_words * BYTES_PER_WORD - _bytes(written)
    for name, fewest in _DROPPED_FIRST:
        while (words > budget_words or left_bytes < 0) and len(kept[name]) > fewest:
            # In the goal the first line is what it all began with, so the second is the oldest to go.
            line = f"- {kept[name].pop(1 if name == GOAL else 0)}\n"
            words -= _words(line)
            left_bytes += _bytes(line)
    return kept


def _written(sections: Mapping[str, list[str]]) -> str:
    parts = [
        f"{heading}\n\n" + "\n".join(f"- {line}" for line in sections[name] or [_NOTHING]) for heading, name in _LAYOUT
    ]
    return "\n\n".join(parts) + "\n"


def _joined(*groups: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(one_line(line) for group in groups for line in group))


def _newest(name: str, *groups: Iterable[str]) -> list[str]:
    return _joined(*groups)[-_MOST_LINES[name] :]


def _first_and_last(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [lines[0], *lines[1 - most :]]


def _words(text: str) -> int:
    return len(text.split())


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
