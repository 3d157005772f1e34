"""Reads what stands behind /compact: words to focus on, and options anywhere among them."""

from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.plain_text import clean_line

USAGE = "/compact takes words to focus on, --strategy NAME, --model NAME and --preview."
SHOWN_CHARS = 40


@dataclass(frozen=True, slots=True)
class CompactWords:
    """What was asked for."""

    wish: CompactionWish
    previews: bool = False


def read_compact_words(words: str) -> CompactWords:
    """What the words ask for; raises UsageError that says what may be said."""
    focus: list[str] = []
    named: dict[str, str] = {}
    previews = False
    rest = iter(words.split())
    for word in rest:
        option, equals, value = word.partition("=")
        match option:
            case "--preview" if not equals:
                previews = True
            case "--strategy" | "--model":
                named[option] = value or _next(option, rest)
            case _ if word.startswith("--"):
                raise UsageError(f"There is no {clean_line(word, SHOWN_CHARS)}.", USAGE)
            case _:
                focus.append(word)
    wish = CompactionWish(focus=" ".join(focus), strategy=named.get("--strategy"), model_id=named.get("--model"))
    return CompactWords(wish, previews)


def _next(option: str, rest: Iterator[str]) -> str:
    value = next(rest, "")
    if not value or value.startswith("--"):
        raise UsageError(f"{option} needs a name.", USAGE)
    return value
