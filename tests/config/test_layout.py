"""The layout of the last run, which may be anything by now."""

import json
from pathlib import Path

import pytest

from diligent_tui.config.layout import FILE_NAME, Layout, load_layout, save_layout


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    layout = Layout("tree", "tools", {"tree": 25, "tools": 40})
    save_layout(tmp_path, layout)
    assert load_layout(tmp_path) == layout


def test_a_folder_that_cannot_be_written_troubles_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    save_layout(tmp_path / "file", Layout("tree"))
    assert load_layout(tmp_path / "file") == Layout()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", Layout()),
        ("[1]", Layout()),
        ("[" * 100_000, Layout()),
        ('{"left": 3, "right": null}', Layout()),
        ('{"left": "\\u001b[2J", "right": "../../x"}', Layout()),
        ('{"right": "trace", "later": 1}', Layout("", "trace")),
        (json.dumps({"sharesPercent": {"tree": 33, "tools": 1e9, "trace": True, "context": 30}}), Layout("", "")),
    ],
    ids=["empty", "a list", "too deep", "other types", "no names", "a later version", "no widths"],
)
def test_whatever_cannot_be_used_is_passed_over(tmp_path: Path, content: str, expected: Layout) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    loaded = load_layout(tmp_path)
    assert (loaded.left, loaded.right) == (expected.left, expected.right)
    assert set(loaded.shares_percent) <= {"context"}
