"""Pictures that a prompt names with an @: read when it is sent, so that words alone carry them through any queue."""

import asyncio
import os
import re
import stat
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.messages import Block, TextBlock
from diligent_tui.domain.models import Model
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import locate, open_located, shown_name
from diligent_tui.tools.pictures import LARGEST_PICTURE_BYTES, image_block, picture_of, size_words

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
MOST_PICTURES = 10
"""In one prompt; the limits of a request are the provider's."""
HEAD_BYTES = 262_144
"""So much is read to know the size of a picture; a photograph's notes can be long."""
_MENTION = re.compile(r"""(?<![^\s(\[{'",:;])@(?:"([^"\n]+)"|([^\s"]+))""")


Said = str | tuple[Block, ...]
"""What a prompt says: words, or words and pictures."""
Attach = Callable[[str], Awaitable[Said]]


async def words_alone(text: str) -> Said:
    """For a session without pictures."""
    return text


def attacher(workplace: Workplace, model: Callable[[], Model]) -> Attach:
    """Puts the pictures that a prompt names behind its words, if the model of the moment sees them."""

    async def attach(text: str) -> Said:
        return await asyncio.to_thread(with_pictures, text, workplace, model()) if "@" in text else text

    return attach


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture on the disk, as its head tells."""

    name: str
    width: int
    height: int
    size_bytes: int
    why_not: str = ""
    """Why no model can be shown it; empty if one can."""

    @property
    def words(self) -> str:
        """What to call it."""
        return f"{self.name} {self.width:,}×{self.height:,} {size_words(self.size_bytes)}"


def mentioned_pictures(text: str) -> Iterator[str]:
    """The paths that a text names with an @ and that end like a picture's, each once."""
    seen: set[str] = set()
    for found in _MENTION.finditer(text):
        path = found[1] or found[2].rstrip(".,;:!?)]}'")
        if path.lower().endswith(PICTURE_SUFFIXES) and path not in seen:
            seen.add(path)
            yield path


def look_at(path: str, workplace: Workplace) -> PictureFile | None:
    """What picture a path leads to, wherever it is, for the user named it; None if it is none."""
    opened = _read(path, workplace, HEAD_BYTES)
    if opened is None:
        return None
    head, size_bytes = opened
    picture = picture_of(head)
    if picture is None:
        return None
    why_not = ""
    if size_bytes > LARGEST_PICTURE_BYTES:
        why_not = f"{size_words(size_bytes)}, over the {size_words(LARGEST_PICTURE_BYTES)} that every model takes"
    elif picture.is_too_large:
        why_not = f"{picture.width:,}×{picture.height:,} pixels are more than any model takes"
    return PictureFile(shown_name(Path(path).name), picture.width, picture.height, size_bytes, why_not)


def with_pictures(text: str, workplace: Workplace, model: Model) -> Said:
    """The words with the pictures that they name behind them, or the words alone; slow, so it is called in a thread."""
    if not model.sees_images or "@" not in text:
        return text
    more: list[Block] = []
    for path in mentioned_pictures(text):
        if len(more) == MOST_PICTURES:
            more.append(TextBlock(text=f"[more than {MOST_PICTURES} images: the others are not shown]"))
            break
        more += _blocks_of(path, workplace)
    return (TextBlock(text=text), *more) if more else text


def _blocks_of(path: str, workplace: Workplace) -> list[Block]:
    seen = look_at(path, workplace)
    if seen is None:
        return []
    if seen.why_not:
        return [TextBlock(text=f"[image {seen.name} left out: {seen.why_not}]")]
    data, _ = _read(path, workplace, LARGEST_PICTURE_BYTES) or (b"", 0)
    picture = picture_of(data)
    return [image_block(picture, data).model_copy(update={"name": seen.name})] if picture else []


def _read(path: str, workplace: Workplace, most_bytes: int) -> tuple[bytes, int] | None:
    """The beginning of a plain file, and its size."""
    try:
        descriptor = open_located(locate(path, workplace), workplace, approved=True)
    except (ToolError, OSError):
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most_bytes), found.st_size
    except OSError:
        return None
    finally:
        os.close(descriptor)
