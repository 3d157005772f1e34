import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from diligent_tui.config.jsonc_edit import set_value
from diligent_tui.config.settings_file import change_file
from diligent_tui.domain.errors import SettingsError


def test_those_who_change_the_same_file_at_once_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config" / "diligent.jsonc"

    def change(number: int) -> None:
        change_file(file, lambda text: set_value(text, ("keys", f"k{number}"), str(number)))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(change, range(24)))
    assert json.loads(file.read_text()) == {"keys": {f"k{number}": str(number) for number in range(24)}}


def test_a_link_of_the_users_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.jsonc").write_text("{}")
    link = tmp_path / "diligent.jsonc"
    link.symlink_to(tmp_path / "dotfiles.jsonc")
    assert change_file(link, lambda _: '{"theme": "light"}') == b'{"theme": "light"}'
    assert link.is_symlink()
    assert (tmp_path / "dotfiles.jsonc").read_text() == '{"theme": "light"}'


def test_what_is_the_same_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "diligent.jsonc"
    file.write_text("{}")
    before = file.stat()
    assert change_file(file, lambda text: text) is None
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("content", [b"\xff\xfe", b'{"a": \xc3}'])
def test_what_is_no_text_is_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "diligent.jsonc"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match="not UTF-8"):
        change_file(file, lambda _: "{}")
    assert file.read_bytes() == content


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "diligent.jsonc")
    with pytest.raises(SettingsError, match="not a plain file"):
        change_file(tmp_path / "diligent.jsonc", lambda _: "{}")
