"""Which files were named and when: the often and newly used weigh most, and nothing breaks the file."""

from pathlib import Path

import pytest

from diligent_tui.config import file_uses
from diligent_tui.config.file_uses import add_use, load_uses

WEEK_SECONDS = 7 * 86_400.0
NOW = 1_800_000_000.0


def test_a_file_weighs_by_how_often_and_how_lately_it_was_named(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for path, weeks_ago in [("old.py", 2), ("often.py", 1), ("often.py", 1), ("often.py", 0), ("once.py", 0)]:
        add_use(tmp_path, root, path, NOW - weeks_ago * WEEK_SECONDS)
    weights = load_uses(tmp_path, root, NOW)
    assert weights == pytest.approx({"old.py": 0.25, "often.py": 2.0, "once.py": 1.0})


def test_projects_do_not_share_their_uses(tmp_path: Path) -> None:
    add_use(tmp_path, tmp_path / "one", "a.py", NOW)
    assert load_uses(tmp_path, tmp_path / "other", NOW) == {}


def test_what_is_damaged_is_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "project"
    add_use(tmp_path, root, "a.py", NOW)
    file = next(tmp_path.glob("files/*"))
    with file.open("ab") as open_file:
        open_file.write(b'{"path": 7, "at": 1}\n{"path": "b.py", "at": "soon"}\nnoise\n{"path":"torn')
    add_use(tmp_path, root, "c.py", NOW)
    assert set(load_uses(tmp_path, root, NOW)) == {"a.py", "c.py"}


def test_the_file_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_uses, "LARGEST_FILE_BYTES", 2_000)
    monkeypatch.setattr(file_uses, "MOST_USES", 20)
    for number in range(200):
        add_use(tmp_path, tmp_path, f"file-{number}.py", NOW)
    assert next(tmp_path.glob("files/*")).stat().st_size < 2_100
    kept = load_uses(tmp_path, tmp_path, NOW)
    assert len(kept) == 20
    assert "file-199.py" in kept


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    add_use(tmp_path, tmp_path, "a.py", NOW)
    file = next(tmp_path.glob("files/*"))
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert load_uses(tmp_path, tmp_path, NOW) == {}


def test_the_file_is_the_owners_alone(tmp_path: Path) -> None:
    add_use(tmp_path, tmp_path, "a.py", NOW)
    assert next(tmp_path.glob("files/*")).stat().st_mode & 0o777 == 0o600
