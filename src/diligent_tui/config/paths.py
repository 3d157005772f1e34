"""Where things are: the project, its data, and the user's own folders. Nothing is made here."""

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

APP_NAME = "diligent"
SETTINGS_NAME = "diligent.jsonc"
DATA_NAME = ".diligent"
MARKERS = (DATA_NAME, ".git")


class Places(NamedTuple):
    """All places that diligent reads or writes, as absolute real paths."""

    cwd: Path
    root: Path
    """The project: the nearest folder above with `.diligent` or `.git`, else the working folder."""
    user_config: Path
    user_data: Path
    user_state: Path

    @property
    def data(self) -> Path:
        """The project's `.diligent`."""
        return self.root / DATA_NAME

    @property
    def sessions(self) -> Path:
        """The folder of the project's sessions."""
        return self.data / "sessions"

    @property
    def knowledge(self) -> Path:
        """The file of the project's knowledge."""
        return self.data / "knowledge" / "knowledge.jsonl"

    @property
    def user_knowledge(self) -> Path:
        """The file of the knowledge that goes with the user."""
        return self.user_data / "knowledge" / "knowledge.jsonl"

    @property
    def project_settings(self) -> Path:
        """The project's settings file."""
        return self.root / SETTINGS_NAME

    @property
    def user_settings(self) -> Path:
        """The user's settings file."""
        return self.user_config / SETTINGS_NAME

    @property
    def folders_to_cwd(self) -> tuple[Path, ...]:
        """The folders from the project root down to the working folder, both included."""
        below = self.cwd.relative_to(self.root).parts
        return tuple(self.root.joinpath(*below[:length]) for length in range(len(below) + 1))


def find_places(cwd: Path, environ: Mapping[str, str], home: Path | None = None) -> Places:
    """Find the places for a run in a folder; with `home`, the user's folders are below it whatever the platform."""
    here = cwd.resolve()
    real_home = home or _home(environ)
    config, data, state = _user_folders(environ, home)
    return Places(here, _find_root(here, real_home.resolve() if real_home else None), config, data, state)


def _find_root(cwd: Path, home: Path | None) -> Path:
    """Home and `/` are a project only for who stands in them: a dotfile repository is not the project of all below."""
    for folder in (cwd, *cwd.parents):
        if folder != cwd and (folder == home or folder == folder.parent):
            continue
        if any(_is_marked(folder, marker) for marker in MARKERS):
            return folder
    return cwd


def _is_marked(folder: Path, marker: str) -> bool:
    """In a folder that anyone may write, such as /tmp, what another user put there marks nothing."""
    try:
        found = (folder / marker).lstat()
        open_to_all = bool(folder.stat().st_mode & stat.S_IWOTH)
    except (OSError, ValueError):
        return False
    return not open_to_all or found.st_uid == os.geteuid()


def _home(environ: Mapping[str, str]) -> Path | None:
    said = environ.get("HOME", "")
    return Path(said) if Path(said).is_absolute() else None


def _user_folders(environ: Mapping[str, str], home: Path | None) -> tuple[Path, Path, Path]:
    """Folders for config, data and state; on Linux as platformdirs finds them, without waiting for its import."""
    if home is None and sys.platform.startswith("linux"):
        home = _home(environ)
    if home is None:
        from platformdirs import PlatformDirs

        dirs = PlatformDirs(APP_NAME, appauthor=False)
        usual = (dirs.user_config_path, dirs.user_data_path, dirs.user_state_path)
    else:
        below = (".config", ".local/share", ".local/state")
        usual = tuple(home / folder / APP_NAME for folder in below)
    said = [environ.get(name, "").strip() for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")]
    config, data, state = (
        Path(folder) / APP_NAME if Path(folder).is_absolute() else otherwise
        for folder, otherwise in zip(said, usual, strict=True)
    )
    return config, data, state
