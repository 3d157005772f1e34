"""The folder that the demo lives in: made at the start, gone at the end, and all that diligent would write is in it."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.cli.demo.files import write_project
from diligent_tui.config.paths import DATA_NAME
from diligent_tui.storage.project import make_project_folder

PREFIX = "diligent-demo-"
PROJECT_NAME = "tide"
OWN_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
OWN_SETTINGS = "DILIGENT_"


@dataclass(frozen=True, slots=True)
class Scratch:
    """A private folder with the project in it, and beside that the user's folders for this run."""

    folder: Path

    @classmethod
    def make(cls) -> "Scratch":
        """A new one, among the system's temporary files."""
        scratch = cls(Path(tempfile.mkdtemp(prefix=PREFIX)).resolve())
        scratch.project.mkdir()
        # A project of its own, whatever stands in the folders above.
        make_project_folder(scratch.project / DATA_NAME)
        write_project(scratch.project)
        return scratch

    @property
    def project(self) -> Path:
        """Where the agent works."""
        return self.folder / PROJECT_NAME

    def environ(self, ours: Mapping[str, str]) -> dict[str, str]:
        """The environment with folders of its own, so that nothing of the user's is read or written."""
        kept = {name: value for name, value in ours.items() if not name.startswith(OWN_SETTINGS)}
        return {**kept, **{name: str(self.folder / name.lower()) for name in OWN_FOLDERS}}

    def remove(self) -> None:
        """Throw all of it away; what cannot be removed is left to the system."""
        shutil.rmtree(self.folder, ignore_errors=True)
