"""Runs of characters without a width: combining marks, joiners and the emoji selector, kept where writing needs them.

At most eight marks stay on one letter. The selector stays behind an emoji or in a keycap, a joiner between two emoji
or inside words of scripts that are written with it. Every choice looks only at characters that stay, so that a second
cleaning changes nothing.
"""

import re
from functools import cache

from diligent_tui.domain.plain_text.characters import (
    EMOJI_SELECTOR,
    ZERO_WIDTH_JOINERS,
    character_class,
    code_point,
)
from diligent_tui.domain.plain_text.marks import ASTRAL_COMBINING_MARKS, COMBINING_MARKS

MARKS_LIMIT = 8
_ENCLOSING_KEYCAP = "\u20e3"

_CONDITIONAL = ZERO_WIDTH_JOINERS + EMOJI_SELECTOR
_EMOJI = "[©®‼⁉™ℹ\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff〰〽㊗㊙\U0001f000-\U0001faff]"
# Arabic, Syriac, N'Ko, Mandaic, the scripts of India, Myanmar, Khmer, Mongolian: letters and marks, no digits.
_JOINING_LETTER = (
    "[\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06ef\u06fa-\u06ff\u0710-\u077f\u07ca-\u07f5\u0840-\u085b"
    "\u0860-\u086a\u0870-\u0887\u0889-\u088f\u0898-\u08e1\u08e3-\u0963\u0971-\u09e3\u09f0\u09f1\u0a01-\u0a65"
    "\u0a70-\u0a75\u0a81-\u0ae3\u0af9-\u0b65\u0b71-\u0be5\u0c00-\u0c63\u0c80-\u0ce3\u0cf1-\u0d57\u0d5f-\u0d63"
    "\u0d7a-\u0ddf\u0df2\u0df3\u1000-\u103f\u1050-\u108f\u1780-\u17d3\u17dd\u1820-\u18aa\ufb50-\ufbb1\ufbd3-\ufd3d"
    "\ufd50-\ufdfb\ufe70-\ufefc]"
)


def settle_runs(text: str) -> str:
    """The text with its piles of marks bounded and its needless joiners and selectors gone."""
    return text if text.isascii() else _run().sub(_settled, text)


def reveal_runs(text: str) -> str:
    """The text with every mark beyond the bound spelled out."""
    return text if text.isascii() else _run().sub(_spelled, text)


def run_start(text: str) -> int:
    """Where the run begins that ends the text; the length of the text when there is none."""
    start = len(text)
    while start and text[start - 1] >= "\u0300" and _run_character().match(text, start - 1):
        start -= 1
    return start


def leading_run(text: str) -> str:
    """The run that the text begins with, or nothing."""
    found = _run().match(text)
    return found[0] if found else ""


def shorten_run(run: str) -> str:
    """A run of bounded length that settles as the given one does, whatever follows it."""
    selector = run[:1] if run.startswith(EMOJI_SELECTOR) else ""
    kept: list[str] = []
    marks = 0
    for character in run:
        if character == EMOJI_SELECTOR:
            continue
        if character in ZERO_WIDTH_JOINERS:
            if kept and kept[-1] in ZERO_WIDTH_JOINERS:
                kept.pop()
        elif (marks := marks + 1) > MARKS_LIMIT:
            continue
        kept.append(character)
    return selector + "".join(kept)


@cache
def _run_character() -> re.Pattern[str]:
    return re.compile(character_class(COMBINING_MARKS + _CONDITIONAL, ASTRAL_COMBINING_MARKS))


@cache
def _run() -> re.Pattern[str]:
    one = _run_character().pattern
    return re.compile(f"{one}(?:{one})*+")


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile(_EMOJI)


@cache
def _joining_letter() -> re.Pattern[str]:
    return re.compile(_JOINING_LETTER)


def _spelled(found: re.Match[str]) -> str:
    return found[0][:MARKS_LIMIT] + "".join(map(code_point, found[0][MARKS_LIMIT:]))


def _settled(found: re.Match[str]) -> str:
    run, text = found[0], found.string
    if len(run) == 1 and run not in _CONDITIONAL:
        return run
    left = text[found.start() - 1 : found.start()]
    right = text[found.end() : found.end() + 1]
    short = shorten_run(run)
    rest = short.removeprefix(EMOJI_SELECTOR)
    keycap = left in "0123456789#*" and rest.lstrip(ZERO_WIDTH_JOINERS).startswith(_ENCLOSING_KEYCAP)
    selected = rest != short and left and (keycap or _emoji().match(left))
    kept = [EMOJI_SELECTOR] if selected else []
    for index, character in enumerate(rest, start=1):
        follower = rest[index : index + 1] or right
        if character not in ZERO_WIDTH_JOINERS or _joins(left, "".join(kept[-1:]), character, follower):
            kept.append(character)
    return "".join(kept)


def _joins(base: str, kept_before: str, joiner: str, follower: str) -> bool:
    """Whether a joiner has something to join: `kept_before` is what stands between it and the run's base, if any."""
    before = kept_before or base
    if _joining_letter().match(before) and _joining_letter().match(follower):
        return True
    emoji_before = _emoji().match(base) if before in (base, EMOJI_SELECTOR) else None
    return joiner == "\u200d" and emoji_before is not None and _emoji().match(follower) is not None
