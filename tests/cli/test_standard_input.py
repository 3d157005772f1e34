"""What is piped into `diligent -p`, by real pipes, files and terminals."""

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from diligent_tui.cli.standard_input import MOST_INPUT_BYTES
from tests.cli.conftest import COMMAND, Run, Start

LONG = b"".join(b"line %d of what was piped in\n" % number for number in range(1, 33_001))


def test_without_a_prompt_what_is_piped_in_is_the_prompt(run: Run) -> None:
    done = run("-p", piped=b"read README.md\n")
    assert done.returncode == 0
    assert "seven of them" in done.stdout


def test_a_megabyte_is_kept_in_a_file_that_the_tools_can_read(run: Run, project: Path) -> None:
    assert len(LONG) > 900_000
    done = run("-p", "count the lines", piped=LONG)
    assert (done.returncode, done.stdout) == (0, "33,000 lines.\n"), done.stderr
    (kept,) = (project / ".diligent" / "sessions").glob("*/stdin-*.txt")
    assert kept.read_bytes() == LONG
    assert kept.stat().st_mode & 0o077 == 0

    name = kept.relative_to(project)
    found = run(
        "-c", "-p", f'search "line 20000 of" in {name} then read {name} lines 20001-20001 then run wc -l {name}'
    )
    assert found.returncode == 0, found.stderr
    assert "line 20000 of what was piped in" in found.stdout
    assert "line 20001 of what was piped in" in found.stdout
    assert f"33000 {name}" in found.stdout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0", "not text: it has zero bytes"),
        (b"good\xff\xfebad", "not UTF-8 text: byte 5 does not fit"),
        (b"x" * (MOST_INPUT_BYTES + 1), "More than 1,048,576 bytes"),
    ],
    ids=["binary", "another encoding", "too long"],
)
def test_what_cannot_be_used_is_a_sentence_and_nothing_is_sent(
    run: Run, project: Path, data: bytes, sentence: str
) -> None:
    done = run("-p", "count the lines", piped=data)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert not (project / ".diligent").exists()


def test_a_file_is_read_and_its_mark_of_order_is_left_out(run: Run, start: Start, project: Path) -> None:
    (project / "notes.txt").write_bytes(b"\xef\xbb\xbfread README.md")
    with (project / "notes.txt").open("rb") as notes:
        out, _ = start("-p", stdin=notes.fileno()).communicate(timeout=60)
    assert b"seven of them" in out


def test_a_terminal_is_not_read(start: Start) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"secret words\n")
    out, _ = start("-p", "count the lines", stdin=theirs).communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert b"Nothing was piped in" in out


def test_a_pipe_that_stays_silent_is_said_and_can_be_left(start: Start, project: Path) -> None:
    child = start("-p", "hello", stdin=subprocess.PIPE)
    assert child.stderr is not None
    assert b"Waiting for standard input" in child.stderr.readline()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert b"Traceback" not in err
    assert not (project / ".diligent").exists()


def test_the_time_limit_holds_while_nothing_comes(start: Start) -> None:
    child = start("-p", "hello", "--max-seconds", "0.5", stdin=subprocess.PIPE)
    assert child.wait(30) == 3
    _, err = child.communicate()
    assert b"before standard input had ended" in err


def test_a_slow_writer_is_waited_for(project: Path, environment: dict[str, str]) -> None:
    script = '{ echo one; read -r _ < gate; echo two; } | "$@"'
    os.mkfifo(project / "gate")
    child = subprocess.Popen(
        ["sh", "-c", script, "sh", *COMMAND, "-p", "count the lines"],
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
    )
    (project / "gate").write_text("go\n")
    out, _ = child.communicate(timeout=60)
    assert out == b"2 lines.\n"
