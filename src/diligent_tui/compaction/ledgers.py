"""The ledger behind a summary: facts that code carries on, word for word, in a text that can be read back.

Half of the budget is for the user's own words, a third for files, the rest for errors and names; what one part does not
need the others may take. The newest comes first, so that what no longer fits is the oldest; of names the most used.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.compaction.facts import ErrorLine, Facts, Words
from diligent_tui.compaction.sizes import TokensOf
from diligent_tui.domain.estimator import utf8_size

OPENING = "---\nKept by the program, word for word; recall(id) shows any entry whole."
WORDS = "The user's own words, newest first"
TODO = "Still to do"
ERRORS = "Errors still open, newest first"
CHANGED = "Files changed, newest first"
READ = "Files read, newest first"
SETTLED = "Earlier errors, gone since"
NAMES = "Names you worked with, most used first"

LONGEST_ERROR_CHARS = 160
SHORTEST_CUT_BYTES = 600
FEWEST_UNDER_FOLDER = 3
LEAST_COMMON_CHARS = 16
NAMES_IN_ROW = 8
UNDER = "(all under {folder})"

_MARKED = re.compile(r"\[(?P<id>[^\]\s]+)\] (?P<text>.*)", re.DOTALL)
_UNDER = re.compile(r"\(all under (?P<folder>.+)\)")
_RULE = re.compile(
    r"\b(?:always|never|must|mustn't|do not|don't|dont|only|prefer|should|shouldn't|without|avoid|instead|rather|"
    r"no longer|keep|make sure|ensure|use|not)\b",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*)>")
_PROSE = re.compile(r"\s{0,2}[\w\"'(*`-][^{}<>|;=\\/]*(?:\s[^{}<>|;=\\/]+){3,}\Z")
"""Words in a row, and none of the signs that code and terminals are full of."""
FEWEST_WORDS = 2
LONGEST_NOD_CHARS = 24
LONGEST_RULE_CHARS = 400
LEFT_OUT = "[…]"
GAP_BYTES = 8
"""A line with its indent that says that others are left out."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A section of the ledger: its lines in their order, and what share of the budget is its own."""

    heading: str
    lines: tuple[str, ...]
    share: float
    intro: str = ""
    ranks: tuple[int, ...] = ()
    """How gladly each line is let go, 0 the least; none if the order says it all."""

    @property
    def by_importance(self) -> Sequence[int]:
        """The places of its lines, the most important first."""
        places = range(len(self.lines))
        return sorted(places, key=lambda place: self.ranks[place]) if self.ranks else places

    @property
    def frame_bytes(self) -> int:
        """Bytes of its heading."""
        return utf8_size(self.heading) + utf8_size(self.intro) + 7

    @property
    def size_bytes(self) -> int:
        """Bytes of all of it."""
        return self.frame_bytes + sum(utf8_size(line) + 1 for line in self.lines) if self.lines else 0


def write_ledger(facts: Facts, budget_tokens: int, tokens_of: TokensOf) -> str:
    """The facts as text within a budget; empty if there are none."""
    budget_bytes = bytes_within(budget_tokens, tokens_of) - utf8_size(OPENING)
    parts = [
        _Part(TODO, tuple(_bullet(text) for text in facts.todo or ()), 0.10),
        _Part(ERRORS, tuple(_error_lines(facts.errors, is_open=True)), 0.12),
        _files_part(CHANGED, facts.changed, 0.22),
        _files_part(READ, facts.read, 0.11),
        _Part(SETTLED, tuple(_error_lines(facts.errors, is_open=False)), 0.10),
        _Part(NAMES, tuple(_name_rows(facts.names)), 0.10),
    ]
    words_bytes = budget_bytes - sum(min(part.size_bytes, int(budget_bytes * part.share)) for part in parts)
    # What was wished for stands before what was done, right behind the list of things to do.
    parts.insert(1, _words_part(facts.words, words_bytes))
    sections = [
        "\n".join([f"## {part.heading}", *([part.intro] if part.intro else []), *lines])
        for part, lines in zip(parts, _share_out(parts, budget_bytes), strict=True)
        if lines
    ]
    return "\n\n".join([OPENING, *sections]) if sections else ""


def facts_in(ledger: str) -> Facts:
    """The facts that a ledger carries; the way back from `write_ledger`."""
    found: dict[str, list[str]] = {}
    folders: dict[str, str] = {}
    heading = ""
    for line in ledger.split("\n"):
        if line.startswith("## "):
            heading = line[3:].strip()
        elif under := _UNDER.fullmatch(line):
            folders[heading] = under["folder"]
        elif line.startswith("- "):
            found.setdefault(heading, []).append(line[2:])
        elif line.startswith("  ") and found.get(heading):
            found[heading][-1] += f"\n{line[2:]}"
    for lines in found.values():
        lines.reverse()
    return Facts(
        words=tuple(Words(*_marked(text)) for text in found.get(WORDS, ())),
        changed=tuple(_whole(path, folders.get(CHANGED)) for path in found.get(CHANGED, ())),
        read=tuple(_whole(path, folders.get(READ)) for path in found.get(READ, ())),
        errors=(
            *(ErrorLine(*_marked(text), is_open=False) for text in found.get(SETTLED, ())),
            *(ErrorLine(*_marked(text)) for text in found.get(ERRORS, ())),
        ),
        todo=tuple(reversed(found[TODO])) if TODO in found else None,
        names=tuple(name for row in found.get(NAMES, ()) for name in reversed(row.split(", "))),
    )


def _marked(text: str) -> tuple[str, str]:
    """Id and text of a line that names its entry."""
    marked = _MARKED.fullmatch(text)
    return (marked["id"], marked["text"]) if marked else ("", text)


def _whole(path: str, folder: str | None) -> str:
    return f"{folder}/{path}" if folder and not path.startswith(("/", "~")) else path


def bytes_within(budget_tokens: int, tokens_of: TokensOf) -> int:
    """About how many bytes so many tokens are, never more."""
    probe_bytes = 3_000_000
    return max(0, int(budget_tokens * probe_bytes / max(1, tokens_of(probe_bytes))) - 1)


def _share_out(parts: Sequence[_Part], budget_bytes: int) -> list[list[str]]:
    """The lines taken of each part: first within its own share, then from what is left; too long is passed over."""
    taken: list[set[int]] = [set() for _ in parts]
    left = budget_bytes
    for is_own_share in (True, False):
        for part, places in zip(parts, taken, strict=True):
            allowance = min(left, int(budget_bytes * part.share)) if is_own_share else left
            for place in part.by_importance:
                cost = utf8_size(part.lines[place]) + 1 + (0 if places else part.frame_bytes)
                if place not in places and cost <= allowance:
                    places.add(place)
                    allowance -= cost
                    left -= cost
    return [[part.lines[place] for place in sorted(places)] for part, places in zip(parts, taken, strict=True)]


def _words_part(words: Sequence[Words], budget_bytes: int) -> _Part:
    """What the user said, newest first; where not all of it fits, what lays something down stays longest."""
    frame_bytes = utf8_size(WORDS) + 8
    sizes = [utf8_size(_bullet(said.text, said.entry_id)) + 1 for said in words]
    most_bytes = _even_share(sizes, budget_bytes - frame_bytes)
    lines = tuple(_bullet(_within(said.text, most_bytes), said.entry_id) for said in reversed(words))
    # What it all began with is the goal, whatever its words are.
    ranks = [0 if not place and _rank(said.text) < 2 else _rank(said.text) for place, said in enumerate(words)]
    return _Part(WORDS, lines, 0.50, ranks=tuple(reversed(ranks)))


def _rank(text: str) -> int:
    """Rules before wishes, wishes before nods, and last what programs said in the user's name."""
    if is_made_by_program(text):
        return 3
    if says_little(text):
        return 2
    return 0 if _RULE.search(text) else 1


def _even_share(sizes: Sequence[int], budget_bytes: int) -> int:
    """The longest that one text may be for all of them to fit: a pasted page must not push the others out."""
    left, texts = budget_bytes, len(sizes)
    for size in sorted(sizes):
        if size * texts > left:
            return max(SHORTEST_CUT_BYTES, left // texts)
        left -= size
        texts -= 1
    return max(SHORTEST_CUT_BYTES, budget_bytes)


def is_made_by_program(text: str) -> bool:
    """True for text that is one tagged block or bracketed note, such as a notice put in the user's name."""
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]") and "\n" not in bare:
        return True
    tagged = _TAGGED.match(bare)
    return tagged is not None and f"</{tagged['tag']}>" in bare and len(bare) < 4_000


def says_little(text: str) -> bool:
    """True for a nod, a command or the beginning of one: `ok`, `continue`, `/theme`."""
    words = text.split()
    return len(words) <= FEWEST_WORDS and len(text) <= LONGEST_NOD_CHARS


def _within(text: str, most_bytes: int) -> str:
    """The text, or those of its lines that matter most: rules, then prose, then the first and the last."""
    if utf8_size(_bullet(text, "12345678")) < most_bytes:
        return text
    lines = text.split("\n")
    # What a terminal says a hundred times is said once.
    first = {line.strip(): place for place, line in reversed(list(enumerate(lines))) if line.strip()}
    order = sorted(
        first.values(),
        key=lambda place: (
            not (len(lines[place]) < LONGEST_RULE_CHARS and _RULE.search(lines[place])),
            not _PROSE.match(lines[place]),
            min(place, len(lines) - place),
        ),
    )
    kept: set[int] = set()
    left = most_bytes - 24
    for place in order:
        cost = utf8_size(lines[place]) + 3 + GAP_BYTES
        if cost <= left:
            kept.add(place)
            left -= cost
    if not kept:
        half = most_bytes // 8
        return f"{text[:half]} {LEFT_OUT} {text[-half:]}"
    return "\n".join(_with_gaps(lines, kept))


def _with_gaps(lines: Sequence[str], kept: set[int]) -> Iterator[str]:
    was_kept = True
    for place, line in enumerate(lines):
        if place in kept:
            yield line
        elif was_kept and line.strip():
            yield LEFT_OUT
        was_kept = place in kept or (was_kept and not line.strip())


def _error_lines(errors: Sequence[ErrorLine], *, is_open: bool) -> Iterator[str]:
    for error in reversed(errors):
        if error.is_open == is_open:
            yield _bullet(error.text[:LONGEST_ERROR_CHARS], error.entry_id)


def _name_rows(names: Sequence[str]) -> Iterator[str]:
    most_used = names[::-1]
    for start in range(0, len(most_used), NAMES_IN_ROW):
        yield _bullet(", ".join(most_used[start : start + NAMES_IN_ROW]))


def _files_part(heading: str, files: Sequence[str], share: float) -> _Part:
    folder = _common_folder(files)
    lines = tuple(_bullet(_under(path, folder)) for path in reversed(files))
    return _Part(heading, lines, share, UNDER.format(folder=folder) if folder else "")


def _under(path: str, folder: str) -> str:
    """The path below the folder, if two parts of it are left: a path is known by its last two."""
    below = path.removeprefix(f"{folder}/") if folder else path
    return below if "/" in below else path


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that saves most if it is said once; none among relative paths, which could not be told from it."""
    if not all(path.startswith(("/", "~")) for path in paths):
        return ""
    counts: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")
        counts.update("/".join(parts[:length]) for length in range(3, len(parts) - 1))
    best = max(counts, key=lambda folder: (counts[folder] - 1) * len(folder), default="")
    return best if counts[best] >= FEWEST_UNDER_FOLDER and len(best) >= LEAST_COMMON_CHARS else ""


def _bullet(text: str, entry_id: str = "") -> str:
    first, *rest = text.split("\n")
    mark = f"[{entry_id}] " if entry_id else ""
    return "\n".join([f"- {mark}{first}", *(f"  {line}" for line in rest)])
