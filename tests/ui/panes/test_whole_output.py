"""Reading in outputs of any size: the same lines from above, from below and by a jump, and few bytes read."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.ui.panes.tools.byte_source import BLOCK_BYTES, MOST_BLOCKS_KEPT, FileSource, TextSource
from diligent_tui.ui.panes.tools.reading_place import ReadingPlace
from diligent_tui.ui.panes.tools.text_window import PIECE_BYTES, TextWindow
from diligent_tui.ui.panes.tools.whole_output import size_words
from tests.ui.panes.tools_stage import ToolsApp, Workshop, read

HUGE_BYTES = 200_000_000
CHUNKS = st.lists(
    st.sampled_from(["\n", "a", "é" * 7, "x" * 100, "你" * 1_500, "y" * 5_000, "z" * (PIECE_BYTES - 1)]), max_size=12
)
TEXTS = CHUNKS.map("".join)


def starts(window: TextWindow) -> list[int]:
    """Every start of a line, from above."""
    found: list[int] = []
    start: int | None = 0
    while start is not None:
        found.append(start)
        start = window.start_after(start)
    return found


@given(TEXTS)
def test_lines_are_the_same_from_above_and_from_below(text: str) -> None:
    window = TextWindow(TextSource(text))
    down = starts(window)
    up: list[int] = []
    start = window.start_before(window.size_bytes)
    while start is not None:
        up.append(start)
        start = window.start_before(start)
    assert up[::-1] == (down if text else [])


@given(TEXTS, st.integers(0, 100))
def test_a_jump_comes_to_a_line_that_one_would_also_walk_to(text: str, percent: int) -> None:
    window = TextWindow(TextSource(text))
    place = window.size_bytes * percent // 100
    before = window.start_before(place + 1)
    assert before is not None
    assert before in starts(window)
    assert before <= place


@given(TEXTS)
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    window = TextWindow(TextSource(text))
    assert "".join(window.text(start) for start in starts(window)) == text.replace("\n", "")


@given(TEXTS, st.lists(st.integers(-30, 30), max_size=8))
def test_the_screen_is_always_full_while_there_is_enough_to_show(text: str, moves: list[int]) -> None:
    def wrap(line: str, width: int) -> list[str]:
        return [line[at : at + width] for at in range(0, len(line), width)] or [""]

    place = ReadingPlace(TextWindow(TextSource(text)), wrap)
    place.resize(40, 10)
    window = TextWindow(TextSource(text))
    rows = [row for start in starts(window) for row in wrap(window.text(start), 40)]
    top = 0
    for move in moves:
        place.move(move)
        top = max(0, min(top + move, len(rows) - 10))
        assert place.rows() == rows[top : top + 10]
    place.go_to_end()
    assert place.rows() == rows[-10:]
    assert place.is_at_end


def sparse(path: Path, head: bytes, tail: bytes) -> None:
    with path.open("wb") as file:
        file.write(head)
        file.seek(HUGE_BYTES - len(tail))
        file.write(tail)


async def test_an_output_of_two_hundred_megabytes_is_read_by_the_window(tmp_path: Path) -> None:
    head = b"".join(b"line %d\n" % number for number in range(2_000))
    sparse(tmp_path / "huge.txt", head, b"\nalmost there\nthe very end\n")
    shop = Workshop()
    shop.use("bash", {"command": "yes"}, "line 0\n…\nthe very end", spill="huge.txt", exit_code=0)
    app = ToolsApp(shop, spills=tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("o")
        await pilot.pause()
        assert read(app)[:2] == ["line 0", "line 1"]
        source = app.pane.whole.source
        assert isinstance(source, FileSource)
        assert source.size_bytes == HUGE_BYTES
        for key in ("pagedown", "pagedown", "j", "k", "pageup"):
            await pilot.press(key)
        assert source.bytes_read == BLOCK_BYTES
        await pilot.press("G")
        await pilot.pause()
        assert read(app)[-2:] == ["almost there", "the very end"]
        for _ in range(20):
            await pilot.press("pageup")
        assert "␀" in read(app)[0]
        assert source.bytes_read <= MOST_BLOCKS_KEPT * BLOCK_BYTES
        await pilot.press("g")
        assert read(app)[0] == "line 0"
        await pilot.press("escape")
        assert app.pane.whole.source is None


@pytest.mark.parametrize("kind", ["missing", "link", "pipe", "folder", "elsewhere"])
async def test_what_is_no_plain_file_is_not_read_and_the_kept_words_are_shown(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secret").write_text("not for you")
    spills = tmp_path / "files"
    spills.mkdir()
    name = "whole.txt"
    match kind:
        case "link":
            (spills / name).symlink_to(tmp_path / "secret")
        case "pipe":
            os.mkfifo(spills / name)
        case "folder":
            (spills / name).mkdir()
        case "elsewhere":
            name = "../secret"
        case _:
            pass
    shop = Workshop()
    shop.use("bash", {"command": "yes"}, "what was kept", spill=name)
    app = ToolsApp(shop, spills=spills)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("o")
        await pilot.pause()
        assert [line for line in read(app) if line] == ["what was kept"]


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 bytes"), (999, "999 bytes"), (1_200, "1.2 kB"), (200_000_000, "200 MB"), (2e9, "2.0 GB")]
)
def test_sizes_are_said_as_people_say_them(size: int, words: str) -> None:
    assert size_words(int(size)) == words
