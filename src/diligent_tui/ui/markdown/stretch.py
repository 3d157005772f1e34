"""Finds where inline markup begins in a text and where all that it opened is closed again."""

import re

MOST_STRETCH_CHARS = 1000  # markup that is not closed by then is taken as it stands
MOST_MARKS = 40  # in a stretch; with more it ends at the next blank, open or not
NEXT_MARKUP = re.compile(
    r"""(?P<address>https?://[^\s<>`*]+)
    | [`\[]
    | \\[!-/:-@\[-`{-~\n]
    | (?<![^\W_])_ | _(?![^\W_])
    | (?<![\s*])\* | \*(?!\s)
    | ~~
    | <[A-Za-z/!?]
    | &[\#A-Za-z]""",
    re.VERBOSE,
)
TOKEN = re.compile(r"\\.|`+|\*+|_+|~~+|\[|\]\(|\]|<[A-Za-z/!?]|[ \n]+", re.DOTALL)
LINK_TARGET = re.compile(r"\\.|[()]", re.DOTALL)


class _Scan:
    """What is open at a point of a stretch."""

    def __init__(self) -> None:
        self.brackets = 0
        self.runs: list[str] = []
        self.unclosed_code = ""
        self.unclosed_target = False

    @property
    def is_clean(self) -> bool:
        return not self.brackets and not self.runs

    def delimiter_run(self, run: str, before: str, after: str) -> None:
        """Open or close emphasis, by the flanking rules of CommonMark a little simplified."""
        mark = run[0]
        opens, closes = _flanks(before, after)
        if mark == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        left = len(run)
        while closes and left:
            index = next((at for at in range(len(self.runs) - 1, -1, -1) if self.runs[at][0] == mark), None)
            if index is None:
                break
            used = min(left, len(self.runs[index]))
            remaining = self.runs[index][used:]
            self.runs[index:] = [remaining] if remaining else []
            left -= used
        if opens and left:
            self.runs.append(mark * left)


def next_markup(text: str, start: int, end: int) -> re.Match[str] | None:
    """The first place that may be markup or an address."""
    return NEXT_MARKUP.search(text, start, end)


def stretch_end(text: str, start: int) -> int | None:
    """Where the markup that begins at a word's start has all been closed; None when that is still to come."""
    most = start + MOST_STRETCH_CHARS
    end = _scan(text, start, min(len(text), most), _Scan())
    if end is not None or len(text) <= most:
        return end
    blank = max(text.rfind(" ", start, most), text.rfind("\n", start, most))
    return blank if blank > start else most


def unclosed(text: str) -> str:
    """What would close all that a text leaves open."""
    scan = _Scan()
    _scan(text, 0, len(text), scan, through=True)
    if scan.unclosed_code:
        return scan.unclosed_code + "".join(reversed(scan.runs))
    if scan.unclosed_target or scan.brackets:
        return ""
    return "".join(reversed(scan.runs))


def _scan(text: str, start: int, end: int, scan: _Scan, through: bool = False) -> int | None:
    position, marks = start, 0
    while found := TOKEN.search(text, position, end):
        token, position = found.group(), found.end()
        marks += token[0] not in " \n"
        match token[0]:
            case " " | "\n":
                if through:
                    continue
                if scan.is_clean or marks > MOST_MARKS:
                    return found.start()
            case "`":
                closing = re.compile(rf"(?<!`){token}(?!`)").search(text, position, end)
                if closing is None:
                    scan.unclosed_code = token
                    return None
                position = closing.end()
            case "[":
                scan.brackets += 1
            case "]":
                is_link = scan.brackets > 0 and token == "]("
                scan.brackets = max(0, scan.brackets - 1)
                if is_link:
                    target_end = _target_end(text, position, end)
                    if target_end is None:
                        scan.unclosed_target = True
                        return None
                    position = target_end
            case "<":
                closing_bracket = text.find(">", position, end)
                if closing_bracket < 0:
                    return None
                position = closing_bracket + 1
            case "\\":
                pass
            case _:
                before = text[found.start() - 1] if found.start() > start else " "
                after = text[position] if position < len(text) else " "
                scan.delimiter_run(token, before, after)
    return None


def _target_end(text: str, position: int, end: int) -> int | None:
    depth = 1
    for found in LINK_TARGET.finditer(text, position, end):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    return None


def _flanks(before: str, after: str) -> tuple[bool, bool]:
    """Whether a run may open and may close, told from the characters beside it."""
    space_before, space_after = before.isspace(), after.isspace()
    mark_before, mark_after = not before.isalnum() and not space_before, not after.isalnum() and not space_after
    opens = not space_after and (not mark_after or space_before or mark_before)
    closes = not space_before and (not mark_before or space_after or mark_after)
    return opens, closes
