"""What goes with a prompt as a picture, in words: its name, its kind and how large it is."""

import base64

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import ImageBlock, UserMessage
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.tools.pictures import picture_of, size_words

SIGN = "▪ "
LONGEST_NAME_CHARS = 40
HEAD_CHARS = 350_000
"""Of base64, a multiple of four: so much tells the size of a picture, for a photograph's notes can be long."""


def pictures_with(entry: Entry) -> list[str]:
    """A line for each picture that goes with a prompt."""
    match entry:
        case MessageEntry(message=UserMessage(content=tuple() as blocks)):
            return [picture_words(block) for block in blocks if isinstance(block, ImageBlock)]
        case _:
            return []


def picture_words(block: ImageBlock) -> str:
    """Such as: ▪ shot.png  PNG 1,024×768  340 KB."""
    data = block.source.get("data")
    name = clean_line(block.name or "image", LONGEST_NAME_CHARS)
    if not isinstance(data, str):
        return f"{SIGN}{name}"
    try:
        picture = picture_of(base64.b64decode(data[:HEAD_CHARS]))
    except ValueError:
        picture = None
    seen = f"  {picture.kind} {picture.width:,}×{picture.height:,}" if picture else ""
    size_bytes = len(data) * 3 // 4 - data[-2:].count("=")
    return f"{SIGN}{name}{seen}  {size_words(size_bytes)}"
