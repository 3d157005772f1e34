"""Numbers and times as the product writes them: 84k, 42 %, $0.42, 2 min ago, – for unknown."""

MINUTE_SECONDS = 60
HOUR_SECONDS = 3_600
DAY_SECONDS = 86_400


def tokens(count: int | None) -> str:
    """A number of tokens: 900, 8.4k, 84k, 1.2M."""
    if count is None:
        return "–"
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            value = count / size
            return f"{value:.1f}{unit}" if value < 10 else f"{value:.0f}{unit}"
    return str(count)


def percent(share: float | None) -> str:
    """A share of a hundred."""
    return "–" if share is None else f"{share:.0f} %"


def money(dollars: float | None) -> str:
    """US dollars, exact to the cent; less than a cent is said to be so."""
    if dollars is None:
        return "–"
    return "<$0.01" if 0 < dollars < 0.01 else f"${dollars:.2f}"


def duration(seconds: float) -> str:
    """How long something took: 0.2 s, 12 s, 3 min 5 s, 2 h 10 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < MINUTE_SECONDS:
        return f"{seconds:.0f} s"
    if seconds < HOUR_SECONDS:
        return f"{seconds // MINUTE_SECONDS:.0f} min {seconds % MINUTE_SECONDS:.0f} s"
    return f"{seconds // HOUR_SECONDS:.0f} h {seconds % HOUR_SECONDS // MINUTE_SECONDS:.0f} min"


def age(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    for size, unit in ((DAY_SECONDS, "d"), (HOUR_SECONDS, "h"), (MINUTE_SECONDS, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def count(number: int, noun: str) -> str:
    """A number with its noun: 1 line, 2 lines."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
