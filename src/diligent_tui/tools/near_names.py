"""Names in a folder that are almost the one that was asked for."""

import difflib
import os
import unicodedata
from pathlib import Path

from diligent_tui.tools.paths import Located, shown_name

MOST_NEAR_NAMES = 5
MOST_NAMES_COMPARED = 5_000


def missing(located: Located, *, approved: bool) -> str:
    """That a file is not there, and which ones are near it."""
    said = f"{located.shown} does not exist."
    folder = located.real.parent
    # Names from a folder that may not be listed would tell what a question was never asked about.
    if not approved and not located.is_open_to_all:
        return said
    try:
        names = _names(folder)
    except OSError:
        return f"{said} Nor is there a folder {shown_name(folder.name)}."
    if twin := _twin(located.real.name, names):
        return f"{said} There is {twin!a}, which looks the same but is written with other characters."
    folded = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(located.real.name.casefold(), folded, n=MOST_NEAR_NAMES, cutoff=0.6)
    return f"{said} Near it: {', '.join(shown_name(folded[name]) for name in near)}." if near else said


def twin_of(path: Path) -> str:
    """The name of another file beside this one that looks the same; empty if there is none."""
    try:
        return _twin(path.name, _names(path.parent))
    except OSError:
        return ""


def _twin(name: str, names: list[str]) -> str:
    composed = unicodedata.normalize("NFC", name)
    return next((each for each in names if each != name and unicodedata.normalize("NFC", each) == composed), "")


def _names(folder: Path) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry, _ in zip(entries, range(MOST_NAMES_COMPARED), strict=False)]
