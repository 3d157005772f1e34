"""Pictures go to snapshots/, and nothing of the machine they were made on gets into them."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import textual.constants
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import PropertyFilter, PropertyMatcher, SerializableData, SerializedData

from tests.ui.album import Album
from tests.ui.picture_file import stored

ROOT = Path(__file__).resolve().parents[2]
CHANGES_THE_PICTURE = ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_FILTERS", "TEXTUAL_DIM_FACTOR", "COLUMNS", "LINES")


class PictureFile(SingleFileSnapshotExtension):
    """One SVG a picture, in snapshots/ under the name of its test."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        test_file = Path(test_location.filepath).resolve().relative_to(ROOT / "tests")
        return str(ROOT / "snapshots" / test_file.with_suffix(""))

    def serialize(
        self,
        data: SerializableData,
        *,
        exclude: PropertyFilter | None = None,
        include: PropertyFilter | None = None,
        matcher: PropertyMatcher | None = None,
    ) -> SerializedData:
        svg = super().serialize(data, exclude=exclude, include=include, matcher=matcher)
        return stored(str(svg))


@pytest.fixture
def album(snapshot: SnapshotAssertion, tmp_path: Path, pytestconfig: pytest.Config) -> Album:
    """Takes many pictures of one run; all of them if they are wanted, or renewed."""
    is_whole = bool(pytestconfig.getoption("--all-pictures") or pytestconfig.getoption("--snapshot-update"))
    return Album(snapshot.use_extension(PictureFile), tmp_path / "pictures", is_whole=is_whole)


@pytest.fixture(autouse=True)
def _steady_picture(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in CHANGES_THE_PICTURE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(textual.constants, "TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _questions_take_keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person needs a moment to see a question; a test has seen it."""
    monkeypatch.setattr("diligent_tui.ui.screens.permission.PermissionScreen.GRACE_SECONDS", 0.0)
