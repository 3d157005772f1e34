"""The ladder of ways to copy, with programs of our own on the PATH: what is said is what was done."""

from pathlib import Path

import pytest

from diligent_tui.ui.clipboard import FILE_NAME, MOST_OSC_52_BYTES, copy_text, programs, takes_osc_52

TEXT = "seven 天鹅\n\ud800"


def program(folder: Path, name: str, *, exit_code: int = 0) -> Path:
    """A program that keeps its input and its arguments beside itself."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    taken = folder / f"{name}.taken"
    path.write_text(f'#!/bin/sh\n/bin/cat > "{taken}"\necho "$@" > "{taken}.arguments"\nexit {exit_code}\n')
    path.chmod(0o755)
    return taken


@pytest.mark.parametrize(
    ("environ", "works"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "alacritty"}, True),
        ({"TERM": "foot"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "screen-256color", "TERM_PROGRAM": "ghostty"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux,1,0"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
    ],
)
def test_osc_52_is_trusted_only_where_it_is_known_to_work(environ: dict[str, str], works: bool) -> None:
    assert takes_osc_52(environ) == works


def test_a_terminal_that_takes_it_is_asked_first(tmp_path: Path) -> None:
    taken = program(tmp_path / "bin", "wl-copy")
    environ = {"TERM": "xterm-kitty", "WAYLAND_DISPLAY": "w", "PATH": str(tmp_path / "bin")}
    copied = copy_text(TEXT, environ, tmp_path)
    assert (copied.way, copied.sends_osc_52) == ("terminal", True)
    assert "OSC 52" in copied.sentence
    assert not taken.exists()


@pytest.mark.parametrize(
    ("name", "more", "way"),
    [
        ("wl-copy", {"WAYLAND_DISPLAY": "w"}, "program"),
        ("xclip", {"DISPLAY": ":0"}, "program"),
        ("xsel", {"DISPLAY": ":0"}, "program"),
        ("pbcopy", {}, "program"),
        ("clip.exe", {}, "program"),
        ("tmux", {"TMUX": "/tmp/tmux,1,0"}, "tmux"),
    ],
)
def test_a_program_takes_the_text_and_is_named(tmp_path: Path, name: str, more: dict[str, str], way: str) -> None:
    taken = program(tmp_path / "bin", name)
    copied = copy_text(TEXT, {"TERM": "xterm-256color", "PATH": str(tmp_path / "bin"), **more}, tmp_path)
    assert copied.way == way
    assert name.partition(".")[0] in copied.sentence
    assert not copied.sends_osc_52
    assert taken.read_text().startswith("seven 天鹅\n")
    assert not (tmp_path / FILE_NAME).exists()


def test_a_program_that_fails_is_not_believed(tmp_path: Path) -> None:
    program(tmp_path / "bin", "xclip", exit_code=1)
    environ = {"DISPLAY": ":0", "PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    copied = copy_text("words", environ, tmp_path / "state")
    assert copied.way == "file"
    assert copied.sends_osc_52
    assert "If nothing pastes, it is in ~/state/copied.txt" in copied.sentence
    assert (tmp_path / "state" / FILE_NAME).read_text() == "words"


def test_what_is_too_long_for_a_terminal_goes_to_a_file_alone(tmp_path: Path) -> None:
    copied = copy_text("x" * (MOST_OSC_52_BYTES + 1), {"TERM": "xterm-kitty"}, tmp_path)
    assert copied.way == "file"
    assert not copied.sends_osc_52
    assert "OSC 52" not in copied.sentence


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    copied = copy_text("words", {"TERM": "xterm"}, tmp_path / "file")
    assert copied.way == "nowhere"
    assert copied.sentence.startswith("Not copied:")


def test_over_ssh_the_far_machine_s_clipboard_is_left_alone(tmp_path: Path) -> None:
    for name in ("wl-copy", "pbcopy", "xclip"):
        program(tmp_path / "bin", name)
    environ = {"SSH_TTY": "/dev/pts/1", "WAYLAND_DISPLAY": "w", "PATH": str(tmp_path / "bin")}
    assert programs(environ) == ()
    # A display over ssh is that of whoever sits there.
    assert [each.words for each in programs({**environ, "DISPLAY": "localhost:10.0"})] == ["with xclip."]


def test_a_program_of_the_project_s_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "xclip")
    monkeypatch.chdir(tmp_path)
    assert programs({"DISPLAY": ":0", "PATH": ".::bin"}) == ()


@pytest.mark.parametrize("term", ["linux", "dumb", "vt220"])
def test_a_console_without_a_clipboard_is_sent_nothing_and_told_of_the_file_only(tmp_path: Path, term: str) -> None:
    copied = copy_text("words", {"TERM": term, "HOME": str(tmp_path)}, tmp_path / "state")
    assert (copied.way, copied.sends_osc_52) == ("file", False)
    assert copied.sentence == "There is no clipboard here. 5 characters are in ~/state/copied.txt"
