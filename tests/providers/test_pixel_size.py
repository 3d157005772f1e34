import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.providers.pixel_size import PixelSize, read_pixel_size
from tests.providers.pictures import gif, jpeg, png, webp_lossless, webp_lossy, webp_wide


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(640, 480), "image/png"),
        (gif(640, 480), "image/gif"),
        (jpeg(640, 480), "image/jpeg"),
        (jpeg(640, 480, note_bytes=65_000, marker=0xC2), "image/jpeg"),
        (webp_lossy(640, 480), "image/webp"),
        (webp_lossless(640, 480), "image/webp"),
        (webp_wide(640, 480), "image/webp"),
    ],
)
def test_kind_and_size_are_read_from_the_head(data: bytes, media_type: str) -> None:
    assert read_pixel_size(data) == PixelSize(media_type, 640, 480)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"\x89PNG\r\n\x1a\n",
        png(640, 480)[:23],
        png(0, 480),
        gif(640, 0),
        jpeg(640, 480)[:12],
        b"\xff\xd8\xff\xe0\x00\x00",
        b"\xff\xd8" + b"\xff" * 1_000,
        b"\xff\xd8" + b"\xff\xe0\x00\x00" * 1_000,
        webp_lossy(640, 480)[:29],
        b"RIFF\x00\x00\x00\x00WEBPABCD" + bytes(40),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM" + bytes(60),
    ],
)
def test_what_does_not_tell_is_not_guessed(data: bytes) -> None:
    assert read_pixel_size(data) is None


@given(
    head=st.sampled_from([png(9, 9), gif(9, 9), jpeg(9, 9), webp_lossy(9, 9), webp_lossless(9, 9), webp_wide(9, 9)]),
    cut=st.integers(0, 60),
    tail=st.binary(max_size=60),
)
def test_no_bytes_can_harm_the_reader(head: bytes, cut: int, tail: bytes) -> None:
    size = read_pixel_size(head[:cut] + tail)
    assert size is None or (size.width > 0 and size.height > 0)
