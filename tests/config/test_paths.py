import os
from pathlib import Path

import platformdirs
import pytest

from diligent_tui.config.paths import find_places


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder.resolve()


@pytest.mark.parametrize("marker", [".git", ".diligent"])
def test_the_nearest_marked_folder_above_is_the_project(home: Path, marker: str) -> None:
    (home / "a" / ".git").mkdir(parents=True)
    (home / "a" / "b" / marker).mkdir(parents=True)
    below = home / "a" / "b" / "c" / "d"
    below.mkdir(parents=True)
    places = find_places(below, {}, home=home)
    assert (places.root, places.cwd) == (home / "a" / "b", below)
    assert places.folders_to_cwd == (home / "a" / "b", home / "a" / "b" / "c", below)


def test_a_worktree_whose_git_is_a_file_is_a_project(home: Path) -> None:
    (home / "tree" / "src").mkdir(parents=True)
    (home / "tree" / ".git").write_text("gitdir: elsewhere\n")
    assert find_places(home / "tree" / "src", {}, home=home).root == home / "tree"


def test_without_a_mark_the_working_folder_is_the_project(home: Path) -> None:
    (home / "plain").mkdir()
    places = find_places(home / "plain", {}, home=home)
    assert (places.root, places.folders_to_cwd) == (home / "plain", (home / "plain",))


@pytest.mark.parametrize("marker", [".git", ".diligent"])
def test_home_is_the_project_of_nothing_below_it(home: Path, marker: str) -> None:
    (home / marker).mkdir()
    (home / "plain").mkdir()
    assert find_places(home / "plain", {}, home=home).root == home / "plain"
    assert find_places(home / "plain", {"HOME": str(home)}).root == home / "plain"
    assert find_places(home, {}, home=home).root == home


def test_a_mark_by_another_user_in_a_folder_open_to_all_does_not_count(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    (shared / ".git").mkdir(parents=True)
    (shared / "mine").mkdir()
    shared.chmod(0o1777)
    assert find_places(shared / "mine", {}, home=home).root == shared.resolve()
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    assert find_places(shared / "mine", {}, home=home).root == shared.resolve() / "mine"
    shared.chmod(0o755)
    assert find_places(shared / "mine", {}, home=home).root == shared.resolve()


def test_a_link_to_a_project_is_that_project(home: Path) -> None:
    (home / "real" / ".git").mkdir(parents=True)
    (home / "link").symlink_to(home / "real")
    assert find_places(home / "link", {}, home=home).root == home / "real"


def test_all_places_hang_on_root_and_home(home: Path) -> None:
    (home / "p" / ".git").mkdir(parents=True)
    places = find_places(home / "p", {}, home=home)
    root = home / "p"
    assert places.data == root / ".diligent"
    assert places.sessions == root / ".diligent" / "sessions"
    assert places.knowledge == root / ".diligent" / "knowledge" / "knowledge.jsonl"
    assert places.project_settings == root / "diligent.jsonc"
    assert places.user_settings == home / ".config" / "diligent" / "diligent.jsonc"
    assert places.user_knowledge == home / ".local" / "share" / "diligent" / "knowledge" / "knowledge.jsonl"
    assert places.user_state == home / ".local" / "state" / "diligent"


def test_nothing_is_made(home: Path) -> None:
    (home / "p").mkdir()
    find_places(home / "p", {}, home=home)
    assert [path.name for path in home.rglob("*")] == ["p"]


@pytest.mark.parametrize("said", ["", "relative/folder"])
def test_the_user_folders_are_those_of_the_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = platformdirs.PlatformDirs("diligent", appauthor=False)
    for environ in ({"HOME": str(tmp_path), "XDG_STATE_HOME": said}, {}):
        places = find_places(tmp_path, environ)
        assert places.user_config == usual.user_config_path
        assert places.user_data == usual.user_data_path
        assert places.user_state == usual.user_state_path


def test_the_environment_may_place_the_user_folders_elsewhere(home: Path) -> None:
    environ = {"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"}
    places = find_places(home, environ, home=home)
    found = (places.user_config, places.user_data, places.user_state)
    assert found == (Path("/c/diligent"), Path("/d/diligent"), Path("/s/diligent"))
