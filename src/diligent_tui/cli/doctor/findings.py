"""What the doctor found: a verdict, a sentence, and a remedy for all that is not well."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "warn", "fail"]
Area = Literal["terminal", "clipboard", "programs", "sandbox", "keys", "servers", "settings", "folders", "python"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `name` stays the same from run to run, for programs."""

    area: Area
    name: str
    verdict: Verdict
    words: str
    remedy: str = ""


def well(area: Area, name: str, words: str) -> Finding:
    """Something that is as it should be."""
    return Finding(area, name, "ok", words)


def doubtful(area: Area, name: str, words: str, remedy: str) -> Finding:
    """Something that works less well than it could."""
    return Finding(area, name, "warn", words, remedy)


def broken(area: Area, name: str, words: str, remedy: str) -> Finding:
    """Something that keeps diligent from working."""
    return Finding(area, name, "fail", words, remedy)
