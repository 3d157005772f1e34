"""The style sheets: where they are, which come before the first frame and which after it, and how they are parsed."""

import asyncio
from collections.abc import Mapping
from pathlib import Path, PurePath

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

FIRST = (
    "base.tcss",
    "chat.tcss",
    "dialogs.tcss",
    "header.tcss",
    "prompt.tcss",
    "queue_strip.tcss",
    "status_bar.tcss",
    "virtual_log.tcss",
    "welcome.tcss",
)
"""For what may be on screen before the core is there; all other sheets are for what only the core puts on it."""
KEPT_SOURCES = 256
"""More than there are sheets and kinds of widgets together; one too few, and every new kind has all parsed again."""


class Sheets(Stylesheet):
    """Parses each sheet once for a theme; Textual's own parses all of them again for whatever is new."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        """Nothing is read yet."""
        super().__init__(variables=dict(variables))
        self._parse_cache = LRUCache[tuple[object, ...], list[RuleSet]](KEPT_SOURCES)

    def reparse(self) -> None:
        """What was parsed with these variables is known; others make it forgotten."""
        self.parse()

    async def read_later(self) -> None:
        """The sheets that are not among the first, one at a time: keys that are typed meanwhile are not held up."""
        for path in later_paths():
            self.read(path)
            self.parse()
            await asyncio.sleep(0)


def styles_folder() -> Path:
    """The folder with one sheet for each widget or pane."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "styles"
    return inside if inside.is_dir() else package.parents[1] / "styles"


def first_paths() -> list[str | PurePath]:
    """The sheets that the first frame cannot do without, the base before those that build on it."""
    return [styles_folder() / name for name in FIRST]


def later_paths() -> list[str | PurePath]:
    """All other sheets."""
    return [*sorted(sheet for sheet in styles_folder().glob("*.tcss") if sheet.name not in FIRST)]


def style_paths() -> list[str | PurePath]:
    """Every sheet in its order."""
    return [*first_paths(), *later_paths()]
