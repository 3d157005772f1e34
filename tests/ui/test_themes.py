"""Themes: each can be worn, can be read, and the terminal's own ground decides at the first start."""

import os
import pty
import threading
from pathlib import Path
from typing import get_args

import pytest
from rich.color import Color as RichColour
from rich.console import Console
from textual.theme import Theme as TextualTheme

from diligent_tui.cli.wanted_theme import WantedTheme
from diligent_tui.config.look import LIGHT_THEMES, Theme, load_ground, save_ground
from diligent_tui.ui.background import (
    ask_terminal,
    ground_by_environment,
    ground_of,
    has_few_colours,
    may_ask,
    typed_in,
)
from diligent_tui.ui.markdown_looks import look_for
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.theme import CHOICES, CONTRAST, DARK, LIGHT, find_choice, theme_for
from diligent_tui.ui.widgets.diff import diff_look
from tests.ui.contrast import HIGH_CONTRAST, LEAST_CONTRAST, contrast
from tests.ui.stage import make_app, ready, settled

NAMES: tuple[Theme, ...] = get_args(Theme)
NOTIFY = "notify"
OURS = [pytest.param(DARK, id="dark"), pytest.param(LIGHT, id="light"), pytest.param(CONTRAST, id="contrast")]


@pytest.mark.parametrize("theme", OURS)
def test_everything_in_our_own_themes_can_be_read(theme: TextualTheme) -> None:
    least = HIGH_CONTRAST if theme is CONTRAST else LEAST_CONTRAST
    named = (theme.foreground, theme.primary, theme.secondary, theme.accent, theme.error, theme.success, theme.warning)
    words = [*filter(None, named), theme.variables["dim"], theme.variables["memory"]]
    grounds = [*filter(None, (theme.background, theme.surface, theme.panel)), theme.variables["cursor"]]
    assert (len(words), len(grounds)) == (9, 4)
    pairs = [(word, ground, contrast(word, ground)) for word in words for ground in grounds]
    selected = theme.variables["screen-selection-background"]
    pairs.append((words[0], selected, contrast(words[0], selected)))
    assert [pair for pair in pairs if pair[-1] < least] == []


@pytest.mark.parametrize(("theme", "family"), [(DARK, "dark"), (LIGHT, "light"), (CONTRAST, "contrast")])
def test_markdown_code_and_diffs_can_be_read(theme: TextualTheme, family: ThemeName) -> None:
    least = HIGH_CONTRAST if theme is CONTRAST else LEAST_CONTRAST
    assert theme.foreground
    assert theme.background
    look = look_for(family)
    variables = {**theme.variables, "success": theme.success or "", "error": theme.error or ""}
    diff = diff_look(family, {**variables, "background": theme.background, "foreground": theme.foreground})
    code = look.code._asdict()
    marks = ("quote_bar", "rule", "table_rule", "code_wrap_mark", "code_block", "code")
    prose = {name: style for name, style in look._asdict().items() if name not in marks}
    wrong = [
        (name, ground, reached)
        for styles, ground in [
            (prose, theme.background),
            ({**code, "label": look.code_label}, hex_of(look.code_block.bgcolor)),
            ({**code, "text": diff.text}, hex_of(diff.added_line.bgcolor)),
            ({**code, "text": diff.text}, hex_of(diff.removed_line.bgcolor)),
            ({"word": diff.added_word}, hex_of(diff.added_word.bgcolor)),
            ({"word": diff.removed_word}, hex_of(diff.removed_word.bgcolor)),
        ]
        for name, style in styles.items()
        if (reached := contrast(hex_of(style.color) if style.color else theme.foreground, ground)) < least
    ]
    assert wrong == []


def hex_of(colour: RichColour | None) -> str:
    assert colour is not None
    return colour.get_truecolor().hex


@pytest.mark.parametrize("name", NAMES)
def test_every_theme_of_the_settings_has_the_colours_that_our_sheets_name(name: Theme) -> None:
    theme = theme_for("light" if name in LIGHT_THEMES else "dark", name)
    assert {"dim", "memory", "rule", "cursor"} <= set(theme.variables)
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
    ("words", "name"),
    [
        ("nord", "nord"),
        (" Nord ", "nord"),
        ("nor", "nord"),
        ("light", "light"),
        ("rose-pine", "rose-pine"),
        ("rose", None),
        ("solarized", None),
        ("auto", None),
        ("swans", None),
        ("", None),
    ],
)
def test_a_theme_is_found_by_as_much_of_its_name_as_is_clear(words: str, name: str | None) -> None:
    assert find_choice(words) == name


async def worn_after(folder: Path, words: str, **environ: str) -> tuple[str, str]:
    """The theme after a slash command, and what was said last."""
    app = make_app(folder, environ={"HOME": str(folder), "PATH": "/usr/bin:/bin", **environ})
    said: list[str] = []

    def keep(message: str, **_: object) -> None:
        said.append(message)

    setattr(app, NOTIFY, keep)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        app.main.prompt.focus()
        app.main.prompt.set_text(words)
        await pilot.press("enter")
        await settled(pilot)
        assert core.session is not None
        assert not core.session.store.tree.nodes
        return app.theme, said[-1] if said else ""


async def test_a_theme_is_worn_by_its_name_and_told_how_to_keep(tmp_path: Path) -> None:
    theme, said = await worn_after(tmp_path, "/theme nord")
    assert theme == "diligent-nord"
    assert said == "This is nord. To begin with it: diligent config set theme nord"


async def test_a_name_that_no_theme_has_is_answered_with_those_there_are(tmp_path: Path) -> None:
    theme, said = await worn_after(tmp_path, "/theme swans")
    assert theme == "diligent-dark"
    assert said == f"There is no theme swans. There are {', '.join(CHOICES)}."
    assert CHOICES[:4] == ("dark", "light", "ansi", "contrast")
    assert "auto" not in CHOICES


async def test_without_a_name_it_is_the_next_theme(tmp_path: Path) -> None:
    assert (await worn_after(tmp_path, "/theme"))[0] == "diligent-light"


async def test_without_colours_there_is_nothing_to_choose_and_that_is_said(tmp_path: Path) -> None:
    theme, said = await worn_after(tmp_path, "/theme nord", NO_COLOR="1")
    assert theme == "diligent-ansi"
    assert said.startswith("NO_COLOR is set")


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
        assert ask_terminal(inside) == ("light" if b"ffff" in answer else None, "")
    finally:
        answering.join()
        os.close(outside)
        os.close(inside)


@pytest.mark.parametrize(
    ("heard", "typed"),
    [
        (b"he\x1b]11;rgb:ffff/ffff/ffff\x1b\\ll\x1b[?62;co", "hello"),
        (b"\x1b]11;rgb:0/0/0\x07\x1b[?62c", ""),
        (b"gr\xc3\xbc\xc3\x9fe\n", "grüße\n"),
        (b"a\x1b[Ab\x1b]11;rgb:ff", "ab"),
        (b"a\x1b[?6", "a"),
    ],
)
def test_what_is_typed_while_the_terminal_is_asked_is_kept(heard: bytes, typed: str) -> None:
    assert typed_in(heard) == typed


def test_what_is_no_terminal_is_not_asked(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+") as file:
        assert ask_terminal(file.fileno()) == (None, "")


def test_the_answer_is_kept(tmp_path: Path) -> None:
    assert load_ground(tmp_path) is None
    save_ground(tmp_path, "light")
    assert load_ground(tmp_path) == "light"
    (tmp_path / "background").write_text("\x1b[2J")
    assert load_ground(tmp_path) is None


@pytest.mark.parametrize(
    ("environ", "few"),
    [
        ({"TERM": "linux"}, True),
        ({"TERM": "xterm"}, True),
        ({"TERM": "screen"}, True),
        ({"TERM": "xterm-16color"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty"}, False),
        ({"TERM": "alacritty"}, True),
        ({"TERM": "alacritty", "COLORTERM": "truecolor"}, False),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, False),
    ],
)
def test_where_sixteen_colours_are_painted_with_the_theme_is_ansi(
    environ: dict[str, str], few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Console(force_terminal=True, _environ=environ)
    assert (terminal.color_system == "standard") == few
    assert has_few_colours(environ) == few
    for name in ("TERM", "COLORTERM"):
        monkeypatch.setenv(name, environ.get(name, ""))
    save_ground(tmp_path, "light")
    assert WantedTheme("auto", tmp_path).family() == ("ansi" if few else "light")
    assert WantedTheme("dark", tmp_path).family() == "dark"
