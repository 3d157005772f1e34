"""Writes the pages that are made from the code: `python -m diligent_tui.cli.documents docs`."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from diligent_tui.cli.command_page import command_page
from diligent_tui.config.settings_page import settings_page
from diligent_tui.ui.screens.keys_page import keys_page

PAGES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {"command-line.md": command_page, "keys.md": keys_page, "settings.md": settings_page}
)


def write_pages(folder: Path) -> None:
    """Write every page into a folder."""
    for name, make in PAGES.items():
        (folder / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
    sys.stdout.write(f"{', '.join(PAGES)} are renewed.\n")
