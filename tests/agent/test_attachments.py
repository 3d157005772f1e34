"""Pictures by path: found in the words, read when sent, bounded, and only for a model that sees."""

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.agent.attachments import MOST_PICTURES, look_at, mentioned_pictures, with_pictures
from diligent_tui.domain.messages import ImageBlock, TextBlock
from diligent_tui.providers.registry import REHEARSAL
from diligent_tui.tools.base import Workplace

SEEING = replace(REHEARSAL, sees_images=True)
BLIND = replace(REHEARSAL, sees_images=False)


def png(width: int, height: int, size_bytes: int = 100) -> bytes:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height)
    return head + b"\0" * (size_bytes - len(head))


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    (tmp_path / "a.png").write_bytes(png(640, 480))
    (tmp_path / "my shot.PNG").write_bytes(png(8, 9))
    (tmp_path / "huge.png").write_bytes(png(10_000, 800))
    (tmp_path / "heavy.png").write_bytes(png(100, 100, 4_000_000))
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "folder.png").mkdir()
    return Workplace(tmp_path, tmp_path, 1_000, tmp_path / "spill")


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("look at @a.png", ["a.png"]),
        ('(@a.png), @"my shot.PNG"!', ["a.png", "my shot.PNG"]),
        ("@a.png and @a.png.", ["a.png"]),
        ("me@a.png x@b.jpg", []),
        ("@a.py @notes", []),
        ("@/abs/x.webp\n@~/y.jpeg", ["/abs/x.webp", "~/y.jpeg"]),
        ('@"open.png', []),
    ],
)
def test_pictures_are_named_with_an_at(text: str, paths: list[str]) -> None:
    assert list(mentioned_pictures(text)) == paths


def test_a_picture_goes_behind_the_words(workplace: Workplace) -> None:
    words, picture = with_pictures('see @"my shot.PNG"', workplace, SEEING)
    assert words == TextBlock(text='see @"my shot.PNG"')
    assert isinstance(picture, ImageBlock)
    assert picture.source["media_type"] == "image/png"


@pytest.mark.parametrize("text", ["hello", "@text.png", "@folder.png", "@missing.png", "@a.py"])
def test_words_without_a_picture_stay_words(workplace: Workplace, text: str) -> None:
    assert with_pictures(text, workplace, SEEING) == text


def test_a_model_that_sees_nothing_is_told_the_words_alone(workplace: Workplace) -> None:
    assert with_pictures("@a.png", workplace, BLIND) == "@a.png"


@pytest.mark.parametrize(("path", "why"), [("huge.png", "pixels"), ("heavy.png", "over the 3.8 MB")])
def test_one_that_no_model_takes_is_left_out_aloud(workplace: Workplace, path: str, why: str) -> None:
    _, told = with_pictures(f"@{path}", workplace, SEEING)
    assert isinstance(told, TextBlock)
    assert why in told.text


def test_there_is_an_end_to_pictures(workplace: Workplace, tmp_path: Path) -> None:
    names = [f"shot{number}.png" for number in range(MOST_PICTURES + 5)]
    for name in names:
        (tmp_path / name).write_bytes(png(4, 4))
    content = with_pictures(" ".join(f"@{name}" for name in names), workplace, SEEING)
    assert sum(isinstance(block, ImageBlock) for block in content) == MOST_PICTURES
    assert content[-1] == TextBlock(text="[more than 10 images: the others are not shown]")


def test_a_picture_is_called_by_its_name_size_and_weight(workplace: Workplace) -> None:
    seen = look_at("a.png", workplace)
    assert seen is not None
    assert seen.words == "a.png 640×480 1 KB"
