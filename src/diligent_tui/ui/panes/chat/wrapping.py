"""Words as lines of the chat."""

from rich.cells import cell_len


def wrapped(words: str, room: int) -> list[str]:
    """Lines no wider than the room, broken at words where that is possible; never more than a line is looked at."""
    lines: list[str] = []
    for line in words.split("\n"):
        start = 0
        while len(line) - start > room or cell_len(line[start:]) > room:
            head = _fitting(line[start : start + room], room)
            cut = head.rfind(" ")
            head = head[: cut + 1] if cut > 0 else head
            lines.append(head.rstrip(" ") or head)
            start += len(head)
        lines.append(line[start:])
    return lines


def _fitting(text: str, room: int) -> str:
    """As many characters as fit, at least one."""
    end = len(text)
    while end > 1 and cell_len(text[:end]) > room:
        end -= 1
    return text[:end]
