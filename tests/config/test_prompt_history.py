"""The prompts of a project, kept from one run to the next."""

import json
import multiprocessing
import stat
from pathlib import Path

import pytest

from diligent_tui.config.prompt_history import (
    LONGEST_PROMPT_CHARS,
    MOST_PROMPTS,
    append_history,
    load_history,
)
from diligent_tui.domain.errors import StorageError

ROOT = Path("/projects/one")


def the_file(state: Path) -> Path:
    (path,) = (state / "prompts").iterdir()
    return path


def append_many(state: Path, word: str, count: int) -> None:
    for number in range(count):
        append_history(state, ROOT, f"{word} {number} " + word * 500)


def test_without_a_file_there_is_no_history(tmp_path: Path) -> None:
    assert load_history(tmp_path / "nowhere", ROOT) == []


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "two\nlines\r\n",
        "[/ \x1b[2J \x00 \u202e",
        "\ud800 alone",
        "你好 👩‍👩‍👧",
        '{"text": 1}',
        "a\u2028b\x85c",
    ],
)
def test_a_prompt_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    append_history(tmp_path, ROOT, text)
    append_history(tmp_path, ROOT, "last")
    assert load_history(tmp_path, ROOT) == [text, "last"]


def test_each_project_has_its_own_history_and_its_path_is_nowhere_told(tmp_path: Path) -> None:
    append_history(tmp_path, ROOT, "mine")
    assert load_history(tmp_path, Path("/projects/two")) == []
    assert "projects" not in str(the_file(tmp_path).relative_to(tmp_path))


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    append_history(tmp_path / "state", ROOT, "secret")
    path = the_file(tmp_path / "state")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_newest_are_loaded(tmp_path: Path) -> None:
    append_history(tmp_path, ROOT, "first")
    lines = [json.dumps({"text": str(number)}) for number in range(MOST_PROMPTS + 3)]
    the_file(tmp_path).write_text("\n".join(lines) + "\n")
    loaded = load_history(tmp_path, ROOT)
    assert len(loaded) == MOST_PROMPTS
    assert (loaded[0], loaded[-1]) == ("3", str(MOST_PROMPTS + 2))


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    append_history(tmp_path, ROOT, "good")
    with the_file(tmp_path).open("ab") as file:
        file.write(b'\xff\xfe\n{"text": 7}\n[1]\nnull\n{"text": "  "}\n{"other": "x"}\n{"text": "to')
    append_history(tmp_path, ROOT, "behind a torn line")
    assert load_history(tmp_path, ROOT) == ["good", "behind a torn line"]


def test_a_prompt_repeated_is_loaded_once(tmp_path: Path) -> None:
    for text in ("a", "a", "b", "a"):
        append_history(tmp_path, ROOT, text)
    assert load_history(tmp_path, ROOT) == ["a", "b", "a"]


def test_a_giant_is_not_kept(tmp_path: Path) -> None:
    append_history(tmp_path, ROOT, "kept")
    append_history(tmp_path, ROOT, "x" * (LONGEST_PROMPT_CHARS + 1))
    assert load_history(tmp_path, ROOT) == ["kept"]


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    append_history(tmp_path, ROOT, "mine")
    path = the_file(tmp_path)
    target = path.rename(tmp_path / "target")
    before = target.read_bytes()
    path.symlink_to(target)
    assert load_history(tmp_path, ROOT) == []
    with pytest.raises(StorageError):
        append_history(tmp_path, ROOT, "more")
    assert target.read_bytes() == before


def test_two_processes_may_append_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=append_many, args=(tmp_path, word, 50)) for word in ("a", "b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    loaded = load_history(tmp_path, ROOT)
    for word in ("a", "b"):
        assert [text.split()[1] for text in loaded if text.startswith(word)] == [str(number) for number in range(50)]
