"""How much is written of what a model writes beside the talk, and about how long the rest will take."""

from typing import TYPE_CHECKING, Literal

from diligent_tui.domain.progress import rest_of
from diligent_tui.ui import format as fmt

if TYPE_CHECKING:
    from diligent_tui.ui.state import Writing

Telling = Literal["all", "rest", "least"]
"""How much is told of what goes on: all, only how long it still takes, or not even that."""


def written(writing: "Writing", now: float | None, telling: Telling) -> str:
    """How much of it is written, and without a clock nothing of the time that is left."""
    words, expected = writing.words, writing.expected_words
    if telling == "least" or not words:
        return ""
    if not expected:
        return f" ({fmt.count(words, 'word')})"
    before = (writing.part - 1) * expected
    done, total = before + words, writing.parts * expected
    rest = "" if now is None else rest_of(done, total, now - writing.writing_since)
    part = f"part {writing.part} of {writing.parts}, " if writing.parts > 1 else ""
    return f" ({part}{words:,} of about {expected:,} words{rest})" if telling == "all" else rest
