"""The tool `write`: what is kept, what is asked, what is refused."""

import asyncio
import codecs
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import MODES, Mode
from tests.tools.workbench import Bench, open_files


def wish(path: str, content: str = "new\n") -> JsonObject:
    return {"path": path, "content": content}


async def test_a_new_file_is_made_with_its_folders_and_the_diff_says_so(bench: Bench) -> None:
    outcome = await bench.run("write", wish("a/b/c.txt", "one\ntwo"))
    assert (bench.root / "a/b/c.txt").read_bytes() == b"one\ntwo"
    assert outcome.output == "Made a/b/c.txt: 2 lines, 7 bytes."
    assert outcome.diff.startswith("--- a/b/c.txt\n+++ a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n")
    assert not outcome.is_error


@pytest.mark.parametrize(
    ("old", "content", "expected", "words"),
    [
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n", "Kept: CRLF."),
        (b"a\r\nb\r\n", "x\r\ny", b"x\r\ny", "Kept: CRLF."),
        (b"a\nb\n", "x\r\n", b"x\r\n", "Its lines now end with CRLF."),
        (b"a\r\nb\nc\n", "x\n", b"x\n", "−3 lines"),
        (codecs.BOM_UTF8 + b"a\n", "x\n", codecs.BOM_UTF8 + b"x\n", "Kept: byte order mark."),
        (codecs.BOM_UTF8 + b"a\n", "\ufeffx\n", codecs.BOM_UTF8 + b"x\n", "Kept: byte order mark."),
        ("a\n".encode("utf-16"), "é\n", "é\n".encode("utf-16"), "Kept: UTF-16-LE, byte order mark."),
        (b"caf\xe9\n", "th\u00e9\n", b"th\xe9\n", "Kept: LATIN-1."),
        (b"caf\xe9\n", "5 \u20ac\n", "5 €\n".encode(), "It is UTF-8 now: latin-1, in which it was, has no '\\u20ac'."),
        (b"\x89PNG\r\n\x1a\n\0", "text\n", b"text\n", "What was there was no text (9 bytes)."),
        (b"", "x\n", b"x\n", "Replaced f: +1 −0 lines"),
        (b"x\n", "", b"", "now 0 lines, 0 bytes"),
        (b"tab\there\n", "\ttab \n", b"\ttab \n", "+1 −1 lines"),
    ],
)
async def test_encoding_and_line_endings_of_the_old_file_are_kept(
    bench: Bench, old: bytes, content: str, expected: bytes, words: str
) -> None:
    (bench.root / "f").write_bytes(old)
    outcome = await bench.run("write", wish("f", content))
    assert (bench.root / "f").read_bytes() == expected
    assert words in outcome.output


async def test_the_same_again_writes_nothing(bench: Bench) -> None:
    (bench.root / "f").write_text("new\n")
    before = (bench.root / "f").stat()
    outcome = await bench.run("write", wish("f"))
    assert outcome.output == "f is already so: nothing was written."
    assert (bench.root / "f").stat().st_ino == before.st_ino
    assert bench.judge("write", wish("f")).decision == "allow"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o4755])
async def test_permissions_are_kept_and_never_wider(bench: Bench, mode: int) -> None:
    file = bench.root / "f"
    file.write_text("old\n")
    file.chmod(mode)
    await bench.run("write", wish("f"))
    assert stat.S_IMODE(file.stat().st_mode) == mode & 0o777


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666)])
async def test_a_new_file_has_the_users_own_mode(bench: Bench, umask: int, expected: int) -> None:
    before = os.umask(umask)
    try:
        await bench.run("write", wish("f"))
        await bench.run("write", wish(".env"), approved=True)
    finally:
        os.umask(before)
    assert stat.S_IMODE((bench.root / "f").stat().st_mode) == expected
    assert stat.S_IMODE((bench.root / ".env").stat().st_mode) == 0o600


async def test_a_link_stays_and_its_target_is_written(bench: Bench) -> None:
    (bench.root / "real").write_text("old\n")
    (bench.root / "link").symlink_to("real")
    await bench.run("write", wish("link"))
    assert (bench.root / "link").is_symlink()
    assert (bench.root / "real").read_text() == "new\n"
    (bench.root / "loose").symlink_to("not-yet")
    await bench.run("write", wish("loose"))
    assert (bench.root / "not-yet").read_text() == "new\n"


async def test_other_names_of_the_file_keep_the_old_text(bench: Bench) -> None:
    (bench.root / "f").write_text("old\n")
    (bench.root / "other").hardlink_to(bench.root / "f")
    outcome = await bench.run("write", wish("f"))
    assert "It had 2 names (hard links); the others keep the old text." in outcome.output
    assert (bench.root / "other").read_text() == "old\n"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("sub", "sub is a folder, not a file."),
        ("pipe", "a pipe (FIFO)"),
        ("f/below", "Not a directory"),
        ("huge", "has 100,000,000 bytes: files of more than 20,000,000 are not changed here"),
        ("frozen", "frozen is read-only: it was not changed."),
        ("../outside", "outside the workspace; nothing was written."),
        (".git/hooks/pre-commit", "nothing was written."),
        (".diligent/x", "nothing was written."),
        ("diligent.jsonc", "nothing was written."),
        ("sub/AGENTS.md", "holds instructions for the model; nothing was written."),
        ("docs.md", "holds instructions for the model; nothing was written."),
        (".env", "looks like a secret; nothing was written."),
        ("loop", "loop"),
        ("/dev/null", "nothing was written"),
        ("way-out/x", "outside the workspace; nothing was written."),
        ("x" * 300, "too long"),
    ],
)
async def test_what_is_not_written_without_a_question_is_explained(bench: Bench, path: str, words: str) -> None:
    (bench.root / "sub").mkdir()
    os.mkfifo(bench.root / "pipe")
    (bench.root / "f").write_text("old\n")
    with (bench.root / "huge").open("wb") as file:
        file.truncate(100_000_000)
    (bench.root / "frozen").write_text("old\n")
    (bench.root / "frozen").chmod(0o444)
    (bench.root / "docs.md").write_text("old\n")
    (bench.root / "CLAUDE.md").symlink_to("docs.md")
    (bench.root / "loop").symlink_to("loop")
    (bench.root / "way-out").symlink_to(bench.root.parent)
    before = sorted(os.walk(bench.root.parent))
    outcome = await asyncio.wait_for(bench.run("write", wish(path)), 10)
    assert outcome.is_error
    assert words in outcome.output
    assert sorted(os.walk(bench.root.parent)) == before
    assert (bench.root / "f").read_text() == "old\n"


async def test_what_the_user_approved_is_written_anywhere(bench: Bench) -> None:
    for path in ("../outside", ".git/config", "AGENTS.md", ".env"):
        assert not (await bench.run("write", wish(path), approved=True)).is_error
        assert (bench.root / path).read_text() == "new\n"


@pytest.mark.parametrize(
    ("path", "decisions"),
    [
        ("src/a.py", ("deny", "ask", "allow", "allow")),
        ("src/new.py", ("deny", "ask", "allow", "allow")),
        ("../outside", ("deny", "ask", "ask", "ask")),
        (".git/config", ("deny", "ask", "ask", "ask")),
        (".GIT/config", ("deny", "ask", "ask", "ask")),
        (".diligent/knowledge.jsonl", ("deny", "ask", "ask", "ask")),
        ("diligent.jsonc", ("deny", "ask", "ask", "ask")),
        ("AGENTS.md", ("deny", "ask", "ask", "ask")),
        ("agents.MD", ("deny", "ask", "ask", "ask")),
        ("AGENTS\u200b.md", ("deny", "ask", "ask", "ask")),
        ("src/CLAUDE.md", ("deny", "ask", "ask", "ask")),
        (".env", ("deny", "ask", "ask", "ask")),
    ],
)
def test_each_mode_says_its_word(bench: Bench, path: str, decisions: tuple[str, ...]) -> None:
    (bench.root / "src").mkdir()
    (bench.root / "src" / "a.py").write_text("old\n")
    modes: tuple[Mode, ...] = MODES
    assert tuple(bench.judge("write", wish(path), mode).decision for mode in modes) == decisions


def test_the_question_shows_the_diff_and_a_rule(bench: Bench) -> None:
    (bench.root / "src").mkdir()
    (bench.root / "src" / "a.py").write_text("old\n")
    verdict = bench.judge("write", wish("src/a.py"))
    assert "-old\n+new" in verdict.diff
    assert verdict.rule
    assert bench.judge("write", wish("AGENTS.md")).rule == ""


def test_judging_touches_nothing(bench: Bench) -> None:
    bench.judge("write", wish("a/b"), "full")
    assert list(bench.root.iterdir()) == []


async def test_the_old_bytes_are_kept_first(bench: Bench) -> None:
    kept: list[tuple[Path, bytes | None]] = []

    def keep(path: Path) -> None:
        kept.append((path, path.read_bytes() if path.exists() else None))

    keeping = replace(bench, workplace=replace(bench.workplace, keep_before=keep))
    await keeping.run("write", wish("f", "1\n"))
    await keeping.run("write", wish("f", "2\n"))
    assert kept == [(bench.root / "f", None), (bench.root / "f", b"1\n")]


async def test_a_file_that_changed_since_it_was_read_is_not_overwritten(bench: Bench) -> None:
    file = bench.root / "f"
    file.write_text("old\n")
    await bench.run("read", {"path": "f"})
    file.write_text("mine\n")
    outcome = await bench.run("write", wish("f"))
    assert outcome.output == "f changed since you read it; nothing was written. Read it again first."
    assert file.read_text() == "mine\n"
    await bench.run("read", {"path": "f", "limit": 1})
    assert not (await bench.run("write", wish("f"))).is_error
    assert not (await bench.run("write", wish("f", "newer\n"))).is_error


async def test_names_are_never_mistaken_for_each_other(bench: Bench) -> None:
    (bench.root / "cafe\u0301").write_text("decomposed\n")
    outcome = await bench.run("write", wish("caf\u00e9"))
    assert (bench.root / "cafe\u0301").read_text() == "decomposed\n"
    assert "Beside it is 'cafe\\u0301', which looks the same but is another file." in outcome.output


@pytest.mark.parametrize("name", ["-rf", "a\nb", "a\x1b[2Jb", "\u202etxt", " lead", "a'b\"c", "$(id)", "x" * 250])
async def test_hostile_names_are_only_names(bench: Bench, name: str) -> None:
    outcome = await bench.run("write", wish(name))
    assert not outcome.is_error
    assert [path.name for path in bench.root.iterdir()] == [name]
    assert "\x1b" not in outcome.output + outcome.diff
    assert "\u202e" not in outcome.output + outcome.diff


async def test_cancelling_leaves_the_file_whole_and_no_file_beside_it(bench: Bench) -> None:
    (bench.root / "f").write_text("old\n")
    reached = asyncio.Event()
    loop = asyncio.get_running_loop()
    go_on = False

    def wait(_: Path) -> None:
        loop.call_soon_threadsafe(reached.set)
        while not go_on:
            os.sched_yield()

    slow = replace(bench, workplace=replace(bench.workplace, keep_before=wait))
    task = asyncio.create_task(slow.run("write", wish("f")))
    await asyncio.wait_for(reached.wait(), 10)
    task.cancel()
    loop.call_soon(lambda: None)
    await asyncio.sleep(0)
    go_on = True
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [path.name for path in bench.root.iterdir()] == ["f"]
    assert (bench.root / "f").read_text() == "old\n"


async def test_no_descriptor_is_left_open(bench: Bench) -> None:
    await bench.run("write", wish("a/b"))
    before = open_files()
    for path in ("a/b", "c/d", "../out", "a", "a/b/c"):
        await bench.run("write", wish(path, path))
    assert open_files() == before
