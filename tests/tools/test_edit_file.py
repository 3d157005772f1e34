"""The tool `edit`: exact, unique, all or nothing."""

import json

import pytest

from diligent_tui.domain.json_objects import JsonObject
from tests.tools.workbench import Bench


def wish(path: str, *edits: tuple[str, str]) -> JsonObject:
    return {"path": path, "edits": [{"old": old, "new": new} for old, new in edits]}


async def test_several_pieces_are_replaced_at_once_and_the_result_has_the_diff(bench: Bench) -> None:
    (bench.root / "a.py").write_text("one\ntwo\nthree\n")
    outcome = await bench.run("edit", wish("a.py", ("one", "1"), ("three", "3")))
    assert (bench.root / "a.py").read_text() == "1\ntwo\n3\n"
    assert outcome.output.startswith("Edited a.py: 2 replacements, +2 −2 lines.\n--- a.py")
    assert "-one\n+1\n two\n-three\n+3" in outcome.diff


async def test_if_one_cannot_be_made_none_is(bench: Bench) -> None:
    (bench.root / "a.py").write_text("one\ntwo\n")
    outcome = await bench.run("edit", wish("a.py", ("one", "1"), ("four", "4")))
    assert outcome.is_error
    assert "`old` of edit 2 is not in a.py. Nothing was changed." in outcome.output
    assert (bench.root / "a.py").read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    ("data", "edit", "expected"),
    [
        (b"a\r\nb\r\n", ("a\nb", "x\ny"), b"x\r\ny\r\n"),
        (b"a\r\nb\nc\n", ("b\nc", "x\ny"), b"a\r\nx\ny\n"),
        (b"\xef\xbb\xbfa\n", ("a", "b"), b"\xef\xbb\xbfb\n"),
        (b"caf\xe9 x\n", ("x", "y"), b"caf\xe9 y\n"),
        ("a é\n".encode("utf-16"), ("a", "日"), "日 é\n".encode("utf-16")),
        (b"\tx\n", ("\tx", "\ty"), b"\ty\n"),
        (b"end", ("end", "end\n"), b"end\n"),
        (b"end\n", ("end\n", "end"), b"end"),
        (b"gone\nrest\n", ("gone\n", ""), b"rest\n"),
        ("e\u0301 \u00e9\n".encode(), ("\u00e9", "x"), "e\u0301 x\n".encode()),
        (b"a\x80b\n", ("b", "c"), b"a\x80c\n"),
    ],
)
async def test_only_the_matched_bytes_change(bench: Bench, data: bytes, edit: tuple[str, str], expected: bytes) -> None:
    (bench.root / "f").write_bytes(data)
    assert not (await bench.run("edit", wish("f", edit))).is_error
    assert (bench.root / "f").read_bytes() == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "f"}, "`edits` is missing"),
        ({"path": "f", "edits": []}, "`edits` must have 1 to 200 changes, not 0."),
        ({"path": "f", "edits": "nonsense"}, "`edits` must be a list"),
        ({"path": "f", "edits": ["x"]}, "`edits` must be a list of objects"),
        ({"path": "f", "edits": [{"old": "a"}]}, "`new` is missing"),
        ({"path": "f", "edits": [{"old": "a", "new": "b", "all": True}]}, "`all` is not known here"),
        (wish("f", ("b", "x")), "`old` is in f 2 times (lines 2, 3)"),
        (wish("gg", ("a", "b")), "gg does not exist. Near it: ggg."),
        (wish("binary", ("a", "b")), "binary is binary"),
        (wish("latin", ("x", "\u20ac")), "latin is latin-1, which has no '\\u20ac'. Nothing was changed"),
    ],
)
async def test_what_cannot_be_done_is_explained(bench: Bench, arguments: JsonObject, words: str) -> None:
    (bench.root / "f").write_text("a\nb\nb\n")
    (bench.root / "ggg").touch()
    (bench.root / "binary").write_bytes(b"\0a")
    (bench.root / "latin").write_bytes(b"\xe9x")
    outcome = await bench.run("edit", arguments)
    assert outcome.is_error
    assert words in outcome.output
    assert (bench.root / "f").read_text() == "a\nb\nb\n"


async def test_edits_written_as_text_are_understood(bench: Bench) -> None:
    (bench.root / "f").write_text("a\n")
    given: JsonObject = {"path": "f", "edits": json.dumps([{"old": "a", "new": "b"}])}
    assert not (await bench.run("edit", given)).is_error


async def test_what_cannot_be_done_is_told_without_a_question(bench: Bench) -> None:
    (bench.root / "f").write_text("a\n")
    impossible = wish("f", ("x", "y"))
    assert bench.judge("edit", impossible).decision == "allow"
    # Even if it has become possible meanwhile: nobody was asked about that.
    (bench.root / "f").write_text("x\n")
    assert "`old` is not in f" in (await bench.run("edit", impossible)).output
    assert (bench.root / "f").read_text() == "x\n"


async def test_nothing_of_a_file_outside_is_told_before_the_user_was_asked(bench: Bench) -> None:
    (bench.root.parent / "secret").write_text("the password is swordfish\n")
    impossible = wish("../secret", ("the password is", "x"), ("sword", "y"), ("nothing", "z"))
    verdict = bench.judge("edit", impossible)
    assert verdict.decision == "ask"
    assert "swordfish" not in verdict.reason
    outcome = await bench.run("edit", wish("../secret", ("the password is cod", "x")))
    assert outcome.is_error
    assert "swordfish" not in outcome.output


async def test_a_file_that_changed_since_it_was_read_is_told(bench: Bench) -> None:
    (bench.root / "f").write_text("a\n")
    await bench.run("read", {"path": "f"})
    (bench.root / "f").write_text("a\nmine\n")
    assert "changed since you read it" in (await bench.run("edit", wish("f", ("a", "b")))).output
    assert (bench.root / "f").read_text() == "a\nmine\n"


async def test_a_read_may_be_followed_by_any_number_of_edits(bench: Bench) -> None:
    (bench.root / "f").write_text("a\n")
    await bench.run("read", {"path": "f"})
    for old, new in (("a", "b"), ("b", "c"), ("c", "d")):
        assert not (await bench.run("edit", wish("f", (old, new)))).is_error
    assert (bench.root / "f").read_text() == "d\n"
