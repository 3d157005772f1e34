"""The `.diligent` folder of a project."""

import os
from pathlib import Path

from diligent_tui.storage.private import make_private_folder, write_private

GITIGNORE = b"# Sessions stay here; knowledge may be shared through git.\n*\n!.gitignore\n!knowledge/\n!knowledge/**\n"


def make_project_folder(folder: Path) -> bool:
    """Make `.diligent` with its .gitignore; True if no sessions were in it, so that those to come are our own."""
    make_private_folder(folder)
    if os.path.lexists(folder / "sessions"):
        return False
    if not os.path.lexists(folder / ".gitignore"):
        write_private(folder / ".gitignore", GITIGNORE)
    return True
