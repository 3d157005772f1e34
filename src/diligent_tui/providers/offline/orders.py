"""Splits what the user wrote into steps: `read a.py, then run make`, or one step for each line of a list."""

import re

from diligent_tui.providers.offline.phrases import POLITENESS, parse_phrase
from diligent_tui.providers.offline.steps import Step, Unknown

LONGEST_ORDER_CHARS = 8000
"""A longer text is a paste, not an order; it is answered in words."""
MOST_STEPS = 30

_VERB = (
    rf"(?:{POLITENESS}){{0,4}}(?:read|show|open|cat|view|look at|summari[sz]e|list|ls|search|grep|find|run|execute"
    r"|write|create|save|edit|replace|change|remember|note that|keep in mind|don't forget|plan|make a plan|think"
    r"|what (?:did|have) i)(?![\w.-])"
)
_JOINT = re.compile(
    r"(?<=\S)(?:(?P<line>[ \t]*\n\s*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?)"
    r"|(?P<then>[,;.]?\s+(?:and\s+)?(?:then|after that|afterwards|next),?\s+)"
    rf"|(?P<soft>[,;.]\s+(?:and\s+)?|\s+and\s+(?:also\s+)?))(?={_VERB})",
    re.IGNORECASE,
)
_SHELL_THEN = re.compile(r";\s+then\b", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:(?:[-*•]|\d{1,3}[.)])\s+)?")
_SHIELD = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)", re.DOTALL)
_WORD_FOR_WORD = re.compile(
    rf"\s*(?:{POLITENESS}){{0,4}}"
    r"(?:(?P<run>run|execute)|write|create|save|edit|replace|change|remember|note|keep|don't|plan|make|think)\b",
    re.IGNORECASE,
)


def parse_order(text: str) -> tuple[Step, ...]:
    """The steps of an order, in order; never empty."""
    if len(text) > LONGEST_ORDER_CHARS:
        return (Unknown(text),)
    phrases = [phrase for phrase in _phrases(text) if phrase.strip()]
    steps = [parse_phrase(phrase) for phrase in phrases[:MOST_STEPS]]
    if len(steps) > 1:
        steps = [step for step in steps if not (isinstance(step, Unknown) and step.text.endswith(":"))]
    return tuple(steps) or (Unknown(text.strip()),)


def _phrases(text: str) -> list[str]:
    shields = [shield.span() for shield in _SHIELD.finditer(text)]
    phrases: list[str] = []
    bullet = _BULLET.match(text)
    begin = bullet.end() if bullet else 0
    for joint in _JOINT.finditer(text, begin):
        at = joint.start()
        if any(first <= at < last for first, last in shields):
            continue
        verb = _WORD_FOR_WORD.match(text, begin)
        if verb and (joint["soft"] or (verb["run"] and _SHELL_THEN.match(joint.group()))):
            continue
        phrases.append(text[begin:at])
        begin = joint.end()
    return [*phrases, text[begin:]]
