"""A project and a home of one's own for each test."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from diligent_tui.config.load import Loaded, load_settings
from diligent_tui.config.paths import Places, find_places
from tests.config.loading import Load


@pytest.fixture
def places(tmp_path: Path) -> Places:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    home = tmp_path / "home"
    home.mkdir()
    return find_places(project, {}, home=home)


@pytest.fixture
def load(places: Places) -> Load:
    """Write the texts of the layers and load them."""

    def do(
        user: str | bytes = "",
        project: str | bytes = "",
        environ: Mapping[str, str] | None = None,
        flags: Mapping[str, object] | None = None,
        trusted: bool = True,
    ) -> Loaded:
        for text, path in ((user, places.user_settings), (project, places.project_settings)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_settings(places, environ or {}, flags or {}, trusted=trusted)

    return do
