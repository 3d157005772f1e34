"""Finds the style sheets: beside the package when installed, in the checkout otherwise."""

from pathlib import Path, PurePath

BASE = "base.tcss"


def styles_folder() -> Path:
    """The folder with one sheet for each widget or pane."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "styles"
    return inside if inside.is_dir() else package.parents[1] / "styles"


def style_paths() -> list[str | PurePath]:
    """Every sheet, the base first, so that the others may build on it."""
    others = sorted(sheet for sheet in styles_folder().glob("*.tcss") if sheet.name != BASE)
    return [styles_folder() / BASE, *others]
