"""Themes: each can be worn, can be read, and the terminal's own ground decides at the first start."""

import os
import pty
import threading
from pathlib import Path
from typing import get_args

import pytest
from textual.color import Color

from diligent_tui.config.look import LIGHT_THEMES, Theme, load_ground, save_ground
from diligent_tui.ui.background import ask_terminal, ground_by_environment, ground_of, may_ask
from diligent_tui.ui.theme import CONTRAST, DARK, LIGHT, theme_for
from tests.ui.stage import make_app, ready

NAMES: tuple[Theme, ...] = get_args(Theme)
LEAST_CONTRAST, HIGH_CONTRAST = 4.5, 7.0
"""Of the guidelines for accessible content, for text of usual size."""


def contrast(one: str, other: str) -> float:
    def brightness(colour: str) -> float:
        parts = [value / 255 for value in Color.parse(colour).rgb]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST], ids=lambda theme: theme.name)
def test_everything_in_our_own_themes_can_be_read(theme: object) -> None:
    worn = next(each for each in (DARK, LIGHT, CONTRAST) if each is theme)
    least = HIGH_CONTRAST if worn is CONTRAST else LEAST_CONTRAST
    for colour in (worn.foreground, worn.accent, worn.error, worn.success, worn.variables["dim"], worn.warning):
        for ground in (worn.background, worn.surface):
            assert colour
            assert ground
            assert contrast(colour, ground) >= least, (colour, ground)


@pytest.mark.parametrize("name", NAMES)
def test_every_theme_of_the_settings_has_the_colours_that_our_sheets_name(name: Theme) -> None:
    theme = theme_for("light" if name in LIGHT_THEMES else "dark", name)
    assert {"dim", "memory", "rule"} <= set(theme.variables)
    assert theme.name.startswith("diligent-")
    if name not in ("auto", "ansi"):
        assert theme.dark == (name not in LIGHT_THEMES)


async def test_a_theme_of_textual_s_is_worn_from_the_start(tmp_path: Path) -> None:
    app = make_app(tmp_path, colours="nord")
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        assert app.theme == "diligent-nord"
        app.action_next_theme()
        assert app.theme == "diligent-dark"


@pytest.mark.parametrize(
    ("said", "ground"),
    [
        ("15;0", "dark"),
        ("0;15", "light"),
        ("0;default;7", "light"),
        ("12;8", "dark"),
        ("", None),
        ("0;99", None),
        ("x", None),
    ],
)
def test_the_environment_may_know_the_ground(said: str, ground: str | None) -> None:
    assert ground_by_environment({"COLORFGBG": said}) == ground


@pytest.mark.parametrize(
    ("answer", "ground"),
    [
        (b"\x1b]11;rgb:0000/0000/0000\x1b\\", "dark"),
        (b"\x1b]11;rgb:ffff/fafa/f0f0\x07", "light"),
        (b"\x1b]11;rgb:f/f/f\x07", "light"),
        (b"\x1b]11;rgba:1c1c/1c1c/1c1c/ffff\x07", "dark"),
        (b"\x1b]11;rgb:zz/0/0\x07", None),
        (b"", None),
    ],
)
def test_an_answer_is_read(answer: bytes, ground: str | None) -> None:
    assert ground_of(answer) == ground


@pytest.mark.parametrize(
    ("environ", "asks"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color"}, True),
        ({"TERM": "screen"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "xterm", "SSH_TTY": "/dev/pts/1"}, False),
        ({}, False),
    ],
)
def test_who_would_answer_late_or_never_is_not_asked(environ: dict[str, str], asks: bool) -> None:
    assert may_ask(environ) == asks


@pytest.mark.parametrize("answer", [b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c", b"\x1b[?62;c", b""])
def test_the_terminal_is_asked_and_left_as_it_was(answer: bytes) -> None:
    outside, inside = pty.openpty()

    def terminal() -> None:
        os.read(outside, 100)
        os.write(outside, answer)

    answering = threading.Thread(target=terminal)
    answering.start()
    try:
        assert ask_terminal(inside) == ("light" if b"ffff" in answer else None)
    finally:
        answering.join()
        os.close(outside)
        os.close(inside)


def test_what_is_no_terminal_is_not_asked(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+") as file:
        assert ask_terminal(file.fileno()) is None


def test_the_answer_is_kept(tmp_path: Path) -> None:
    assert load_ground(tmp_path) is None
    save_ground(tmp_path, "light")
    assert load_ground(tmp_path) == "light"
    (tmp_path / "background").write_text("\x1b[2J")
    assert load_ground(tmp_path) is None
