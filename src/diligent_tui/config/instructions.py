"""Reads the instruction files of a trusted project, and the user's own."""

from pathlib import Path

from diligent_tui.agent.system_prompt import Instructions
from diligent_tui.config.paths import Places
from diligent_tui.config.reading import NotPlainFile, read_plain
from diligent_tui.config.survey import INSTRUCTION_NAMES
from diligent_tui.domain.plain_text import mend_surrogates


def read_instructions(places: Places, further: tuple[str, ...], *, trusted: bool) -> tuple[Instructions, ...]:
    """The user's own file, those the settings name, then for each folder from the root down the first name it has."""
    files = [places.user_config / INSTRUCTION_NAMES[0], *(_absolute(name, places.root) for name in further)]
    found = [item for path in files if (item := _read(path, path.name))]
    if trusted:
        for folder in places.folders_to_cwd:
            paths = (folder / name for name in INSTRUCTION_NAMES)
            item = next((item for path in paths if (item := _read(path, str(path.relative_to(places.root))))), None)
            if item:
                found.append(item)
    return tuple(found)


def _absolute(name: str, root: Path) -> Path:
    path = Path(name).expanduser()
    return path if path.is_absolute() else root / path


def _read(path: Path, name: str) -> Instructions | None:
    try:
        text = read_plain(path).decode("utf-8", "replace")
    except (OSError, NotPlainFile, ValueError):
        return None
    return Instructions(name, mend_surrogates(text))
