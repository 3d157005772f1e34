"""What a call did, in a few words: +14 −9, exit 2, 3 failed, 12 lines."""

import re

from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.transcript import ToolState
from diligent_tui.ui.widgets import diff as diffs

REASON_CHARS = 32
END_CHARS = 4_000
"""The last words of an output are looked for in so much of its end."""
DECORATION = "=-*#~_ \t"
SAYS_ONLY_HOW_IT_ENDED = re.compile(r"\[.*\]|exit code -?\d+.*", re.IGNORECASE)
OUR_ROW = re.compile(
    r"^\[(?:no output|…|lines [\d,]+ to|the file is|shown:|stopped at|stopped after|some folders|none of"
    r"|what the command left|put back as it was).*\]$",
    re.MULTILINE,
)
"""What the tools say in their own name, as a program hardly would."""
PICTURE = re.compile(r"\[[^\n]*: (\w+) image, ([\d,]+ × [\d,]+) pixels, ")
EMPTY = re.compile(r"\[[^\n]* is empty\]")


def effect_of(state: ToolState, output: str, diff: str = "", exit_code: int | None = None) -> str:
    """The effect of a call in one harmless line."""
    match state:
        case "waiting" | "running":
            return state
        case "failed" if exit_code:
            reason = _last_words(output)
            return f"exit {exit_code}, {reason}" if reason else f"exit {exit_code}"
        case "failed":
            return _last_words(output) or "failed"
        case "done" if diff:
            added, removed = diffs.count_changes(diff)
            return f"+{added:,} −{removed:,}"
        case "done":
            return _amount(output)


def _amount(output: str) -> str:
    """How much was said; what we put in brackets below it, or where something is left out, is no line of it."""
    words = output.strip("\n")
    if picture := PICTURE.match(words):
        return f"{picture[1]} {picture[2]}"
    if EMPTY.fullmatch(words):
        return "empty"
    count = words.count("\n") + 1 - (len(OUR_ROW.findall(words)) if "[" in words else 0)
    return fmt.count(count, "line") if count > 0 and words.strip() else "no output"


def _last_words(output: str) -> str:
    for line in reversed(clean(output[-END_CHARS:]).split("\n")):
        words = line.strip(DECORATION)
        if words and not SAYS_ONLY_HOW_IT_ENDED.fullmatch(words):
            return clean_line(words, REASON_CHARS)
    return ""
