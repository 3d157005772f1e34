"""The tool `read`: what it shows of every kind of file."""

import asyncio
import base64
import os
import struct
from dataclasses import replace

import pytest

from diligent_tui.domain.json_objects import JsonObject
from tests.tools.workbench import Bench


async def test_shows_a_text_file_with_line_numbers(bench: Bench) -> None:
    (bench.root / "a.py").write_text("x = 1\n\ty = 2  \n")
    outcome = await bench.run("read", {"path": "a.py"})
    assert outcome.output == "     1\tx = 1\n     2\t\ty = 2  "
    assert not outcome.is_error


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("naïve\n".encode(), "     1\tnaïve"),
        ("naïve\n".encode("utf-8-sig"), "     1\tnaïve"),
        ("naïve\n".encode("utf-16"), "     1\tnaïve\n[the file is UTF-16]"),
        (b"\xfe\xff" + "naïve\n".encode("utf-16-be"), "     1\tnaïve\n[the file is UTF-16]"),
        ("naïve\n".encode("utf-32"), "     1\tnaïve\n[the file is UTF-32]"),
        ("naïve\n".encode("latin-1"), "     1\tnaïve\n[the file is not valid UTF-8; read as latin-1]"),
        (b"\xff\xfea\0\x00\xd8", "     1\ta\ufffd\n[the file is UTF-16]"),
        (b"x" * 9_000 + b"\0\n", "     1\t" + "x" * 9_000 + "\ufffd"),
        (b"", "[a.txt is empty]"),
    ],
)
async def test_reads_every_encoding_and_names_the_unusual_ones(bench: Bench, data: bytes, expected: str) -> None:
    (bench.root / "a.txt").write_bytes(data)
    assert (await bench.run("read", {"path": "a.txt"})).output == expected


async def test_a_late_byte_that_is_not_utf8_makes_the_whole_file_latin_1(bench: Bench) -> None:
    (bench.root / "a.txt").write_bytes(b"x\n" * 200_000 + b"caf\xe9\n")
    output = (await bench.run("read", {"path": "a.txt", "offset": 200_001})).output
    assert output.startswith("200001\tcafé\n")
    assert "latin-1" in output


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.bin", b"\0\1\2", "application/octet-stream"),
        ("a", b"\0\1\2", "unknown kind"),
        ("a.png", b"\x89PNG\r\n\x1a\n rest", "PNG image"),
        ("a.txt", b"%PDF-1.7", "PDF document"),
        ("a.txt", b"\x7fELF\2\1\1", "ELF program"),
    ],
)
async def test_a_binary_file_is_named_and_not_shown(bench: Bench, name: str, data: bytes, kind: str) -> None:
    (bench.root / name).write_bytes(data)
    output = (await bench.run("read", {"path": name})).output
    assert output.startswith(f"[{name} is binary: {len(data)} bytes, {kind}")


async def test_a_long_file_fits_the_limit_and_can_be_read_on(bench: Bench) -> None:
    (bench.root / "log").write_text("".join(f"{n}\n" for n in range(1, 300_001)))
    whole = (await bench.run("read", {"path": "log"})).output
    assert len(whole.encode()) <= bench.workplace.output_limit_bytes
    assert whole.startswith("     1\t1\n")
    assert whole.endswith("300000\t300000")
    part = (await bench.run("read", {"path": "log", "offset": 150_000, "limit": 2})).output
    assert part == "150000\t150000\n150001\t150001\n[lines 150,000 to 150,001 of 300,000; read on with offset 150002]"


async def test_a_pipe_without_a_writer_does_not_hang(bench: Bench) -> None:
    os.mkfifo(bench.root / "pipe")
    outcome = await asyncio.wait_for(bench.run("read", {"path": "pipe"}), 5)
    assert outcome.is_error
    assert "a pipe (FIFO)" in outcome.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`path` is missing: give the file to read."),
        ({"path": "  "}, "`path` is missing"),
        ({"path": 3}, "`path` must be text"),
        ({"path": "a.txt", "offset": 0}, "`offset` must be a whole number from 1 up"),
        ({"path": "a.txt", "limit": 1.5}, "`limit` must be a whole number"),
        ({"path": "a.txt", "limit": "many"}, "`limit` must be a number"),
        ({"path": "a.txt", "limit": True}, "`limit` must be a number"),
        ({"path": "a.txt", "offset": float("nan")}, "`offset` must be a number"),
        ({"path": "a.txt", "lines": 3}, "`lines` is not known here: the arguments are `path`, `offset`, `limit`."),
        ({"path": "a\0.txt"}, "NUL"),
        ({"path": "\ud800"}, "surrogate"),
        ({"path": "sub"}, "is a folder, not a file: use `ls`"),
        ({"path": "a.txt", "offset": 9}, "a.txt has only 1 lines"),
        ({"path": "READMEE.md"}, "READMEE.md does not exist. Near it: README.md."),
        ({"path": "zzzzzz"}, "zzzzzz does not exist."),
        ({"path": "nowhere/a.txt"}, "Nor is there a folder nowhere."),
        ({"path": "/etc/passwd"}, "nothing was read"),
        ({"path": ".env"}, "nothing was read"),
    ],
)
async def test_what_cannot_be_read_is_explained(bench: Bench, arguments: JsonObject, words: str) -> None:
    (bench.root / "sub").mkdir()
    for name in ("a.txt", "README.md", ".env"):
        (bench.root / name).write_text("x")
    outcome = await bench.run("read", arguments)
    assert outcome.is_error
    assert words in outcome.output


async def test_numbers_written_as_text_are_understood(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("a\nb\n")
    assert (await bench.run("read", {"path": "a.txt", "offset": "2"})).output.startswith("     2\tb")


async def test_names_in_a_folder_outside_are_not_told_without_approval(bench: Bench) -> None:
    (bench.root.parent / "secret-plan.txt").touch()
    assert "secret-plan.txt" not in (await bench.run("read", {"path": "../secret-plan.tx"})).output
    assert "secret-plan.txt" in (await bench.run("read", {"path": "../secret-plan.tx"}, approved=True)).output


async def test_an_approved_file_outside_is_read(bench: Bench) -> None:
    (bench.root.parent / "notes").write_text("hello\n")
    assert (await bench.run("read", {"path": "../notes"}, approved=True)).output == "     1\thello"


async def test_a_tiny_limit_is_kept_too(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("word " * 10_000)
    small = Bench(replace(bench.workplace, output_limit_bytes=1_500))
    assert len((await small.run("read", {"path": "a.txt"})).output.encode()) <= 1_500


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\2\0\0\0" + bytes(20)


def webp(kind: bytes, rest: bytes) -> bytes:
    return b"RIFF\x40\0\0\0WEBP" + kind + b"\x10\0\0\0" + rest + bytes(20)


JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08" + struct.pack(">HH", 30, 40) + bytes(20)


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (png(40, 30), "PNG", "40 × 30"),
        (JPEG, "JPEG", "40 × 30"),
        (b"GIF89a" + struct.pack("<HH", 40, 30) + bytes(9), "GIF", "40 × 30"),
        (webp(b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + struct.pack("<HH", 40, 30)), "WebP", "40 × 30"),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 39 | 29 << 14)), "WebP", "40 × 30"),
        (webp(b"VP8X", b"\x10\0\0\0" + b"\x27\0\0" + b"\x1d\0\0"), "WebP", "40 × 30"),
    ],
)
async def test_a_picture_is_shown_with_its_kind_and_size(bench: Bench, data: bytes, kind: str, size: str) -> None:
    (bench.root / "a").write_bytes(data)
    outcome = await bench.run("read", {"path": "a"})
    assert outcome.output == f"[a: {kind} image, {size} pixels, {len(data):,} bytes]"
    (image,) = outcome.images
    assert image.source["media_type"] == f"image/{kind.lower()}"
    assert base64.b64decode(str(image.source["data"])) == data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (png(40, 30) + bytes(3_750_000), "not shown, for models take at most 3,750,000 bytes: make it smaller"),
        (png(8_001, 10), "not shown, for models take at most 8,000 pixels a side"),
        (png(0, 10), "is binary"),
        (png(40, 30)[:20], "is binary"),
        (JPEG[:12], "is binary"),
        (b"\xff\xd8\xff\xe0\0\x04ab" + b"x" * 20, "is binary"),
        (b"\xff\xd8\xff" + b"\xff" * 200, "is binary"),
        (webp(b"VP9 ", b""), "is binary"),
        (webp(b"VP8X", b"")[:25], "is binary"),
        (b"GIF89a", "is binary"),
    ],
)
async def test_a_picture_that_cannot_be_shown_is_named(bench: Bench, data: bytes, words: str) -> None:
    (bench.root / "a").write_bytes(data)
    outcome = await bench.run("read", {"path": "a"})
    assert words in outcome.output
    assert outcome.images == ()


async def test_a_name_that_looks_the_same_is_told(bench: Bench) -> None:
    (bench.root / "cafe\u0301").touch()
    output = (await bench.run("read", {"path": "caf\u00e9"})).output
    assert "There is 'cafe\\u0301', which looks the same but is written with other characters." in output
