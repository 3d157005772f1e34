"""The pictures that were looked at and accepted: one SVG each, in snapshots/ under the name of its test."""

from dataclasses import dataclass
from pathlib import Path

from tests.ui.picture_file import stored

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "snapshots"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The accepted pictures of one test."""

    folder: Path
    test: str
    others: Path
    """Where those are put that are not like theirs."""
    takes_all: bool
    """Whether every picture is accepted as it is now."""

    def is_like(self, name: str, svg: str) -> bool:
        """Whether a picture is the accepted one of that name."""
        file_name, seen = f"{self.test}[{name}].svg", stored(svg)
        known = self.folder / file_name
        if not self.takes_all and known.is_file() and known.read_text(encoding="utf-8") == seen:
            return True
        folder = self.folder if self.takes_all else self.others
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file_name).write_text(seen, encoding="utf-8")
        return self.takes_all


def folder_of(test_file: Path) -> Path:
    """Where the pictures of a file of tests are."""
    return PICTURES / test_file.resolve().relative_to(ROOT / "tests").with_suffix("")
