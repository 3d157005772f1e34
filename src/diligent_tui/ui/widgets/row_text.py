"""Text of several lines as the words of one row."""

LINES_GAP = " · "


def join_lines(text: str) -> str:
    """The lines that say something, beside each other; the sign of a line break is that of a key in a pane."""
    return LINES_GAP.join(filter(None, map(str.strip, text.splitlines())))
