"""Which items stand in which column of a picture, however many there are of either."""

from collections.abc import Sequence
from typing import Literal

Pick = Literal["max", "mean"]
WIDEST_BAR = 6
LEAST_BAR_WITH_GAP = 3
NICE = (1, 2, 3, 4, 5, 6, 8, 10)
"""Half of each has two digits at most, so that the middle of an axis can be told as it is."""
LEAST_TOP = 1e-9
"""Below this, floats that are divided by ten on and on end at nothing."""


def stretched(count: int, columns: int) -> list[range]:
    """All columns are used: one has several items where they are many, several have the same where they are few."""
    if not count or columns < 1:
        return []
    return [
        range(at * count // columns, max((at + 1) * count // columns, at * count // columns + 1))
        for at in range(columns)
    ]


def barred(count: int, columns: int) -> list[range]:
    """A bar for each item with a gap behind it, which is an empty range; bars that would be too thin touch."""
    wide = min(WIDEST_BAR, columns // count) if count else 0
    if wide < LEAST_BAR_WITH_GAP:
        return stretched(count, columns)
    return [range(item, item + (step < wide - 1)) for item in range(count) for step in range(wide)]


def picked(values: Sequence[float | None], items: range, pick: Pick) -> float | None:
    """The value of a column; what is unknown does not count."""
    known = [value for item in items if (value := values[item]) is not None]
    if not known:
        return None
    return max(known) if pick == "max" else sum(known) / len(known)


def nice_top(highest: float) -> float:
    """A round number that is not below the highest value."""
    if highest <= 0:
        return 1.0
    highest = max(highest, LEAST_TOP)
    size = 1.0
    while size * 10 < highest:
        size *= 10
    while size > highest:
        size /= 10
    return next(size * step for step in NICE if size * step >= highest * (1 - 1e-9))
