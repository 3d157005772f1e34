"""The `.diligent` folder of a project."""

from pathlib import Path

from diligent_tui.storage.private import make_private_folder, write_private

GITIGNORE = b"# Sessions stay here; knowledge may be shared through git.\n*\n!.gitignore\n!knowledge/\n!knowledge/**\n"


def make_project_folder(folder: Path) -> bool:
    """Make `.diligent` with its .gitignore; True if it was not there before."""
    made = make_private_folder(folder)
    if made:
        write_private(folder / ".gitignore", GITIGNORE)
    return made
