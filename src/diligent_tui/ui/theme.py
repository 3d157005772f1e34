"""The colours: one accent, amber for memory, red for errors, green for done; each theme drawn for itself."""

from dataclasses import replace

from rich.terminal_theme import TerminalTheme
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from diligent_tui.config.look import LIGHT_THEMES
from diligent_tui.config.look import THEMES as ALL_THEMES
from diligent_tui.config.look import Theme as ThemeChoice
from diligent_tui.ui.opening import ThemeName

DARK = Theme(
    name="diligent-dark",
    primary="#7aa2f7",
    secondary="#9aa5ce",
    accent="#7aa2f7",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c8d0e6",
    background="#14161d",
    surface="#191c25",
    panel="#1f2330",
    dark=True,
    variables={
        "dim": "#949dbb",
        "memory": "#e0af68",
        "rule": "#2b3040",
        "cursor": "#2e3342",
        "screen-selection-background": "#3f5180",
        "footer-background": "#191c25",
    },
)

LIGHT = Theme(
    name="diligent-light",
    primary="#2857ab",
    secondary="#4d5a78",
    accent="#2857ab",
    warning="#7a4e00",
    error="#a8103b",
    success="#34651b",
    foreground="#23283a",
    background="#fbfaf7",
    surface="#f2f0ea",
    panel="#e8e5dc",
    dark=False,
    variables={
        "dim": "#555c72",
        "memory": "#7a4e00",
        "rule": "#d4d0c4",
        "cursor": "#d9d5c9",
        "screen-selection-background": "#b4c6e8",
        "footer-background": "#f2f0ea",
    },
)

ANSI = replace(
    BUILTIN_THEMES["ansi-dark"],
    name="diligent-ansi",
    accent="ansi_blue",
    variables={
        **BUILTIN_THEMES["ansi-dark"].variables,
        "dim": "ansi_bright_black",
        "memory": "ansi_yellow",
        "rule": "ansi_bright_black",
        "cursor": "ansi_default",
        "footer-background": "ansi_default",
    },
)

CONTRAST = Theme(
    name="diligent-contrast",
    primary="#6fd3ff",
    secondary="#ffffff",
    accent="#6fd3ff",
    warning="#ffd000",
    error="#ffa8a8",
    success="#7dff7d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#141414",
    dark=True,
    variables={
        "dim": "#d6d6d6",
        "memory": "#ffd000",
        "rule": "#9a9a9a",
        "cursor": "#303030",
        "screen-selection-background": "#1f4f66",
        "footer-background": "#000000",
    },
)


def _sixteen(ground: str, text: str, normal: str, bright: str) -> TerminalTheme:
    """The colours that programs name, in their order: black, red, green, yellow, blue, magenta, cyan, white."""
    return TerminalTheme(_rgb(ground), _rgb(text), [*map(_rgb, normal.split())], [*map(_rgb, bright.split())])


def _rgb(code: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(code)
    return red, green, blue


PROGRAMS_ON_DARK = _sixteen(
    "14161d",
    "c8d0e6",
    "949dbb f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c8d0e6",
    "9ea7c4 ff9aab b9e089 f2cb8f 9dbbff d0b6ff a8e0ff ffffff",
)
PROGRAMS_ON_LIGHT = _sixteen(
    "fbfaf7",
    "23283a",
    "23283a a8103b 34651b 7a4e00 2857ab 7a2f9e 0b6264 3c4357",
    "555c72 b3123a 2c6a10 7d4a00 1f55b8 8a2aa8 00646e 10131c",
)
"""What a program calls black or white can be read on either ground, so its name is not to be taken at its word."""

THEMES: dict[ThemeName, Theme] = {"dark": DARK, "light": LIGHT, "ansi": ANSI, "contrast": CONTRAST}
"""Our own, in the order in which one follows the other."""
CHOICES: tuple[ThemeChoice, ...] = tuple(name for name in ALL_THEMES if name != "auto")
"""All that can be worn, ours first."""
DIM_SHARE, RULE_SHARE, CURSOR_SHARE = 0.66, 0.22, 0.12
"""How much of the text's colour there is in what is dim, in a thin rule, and in the ground of the cursor's row."""


def theme_for(family: ThemeName, colours: str = "") -> Theme:
    """The theme of that name with our own colours added, or the one of ours if there is none."""
    found = BUILTIN_THEMES.get(colours)
    return THEMES[family] if found is None else _ours(found)


def family_of(colours: ThemeChoice) -> ThemeName:
    """Which of our own themes that one is, or is most like."""
    ours: tuple[ThemeName, ...] = tuple(THEMES)
    return ours[ours.index(colours)] if colours in ours else "light" if colours in LIGHT_THEMES else "dark"


def find_choice(words: str) -> ThemeChoice | None:
    """The theme of that name; it may be shortened while it is clear."""
    wanted = words.strip().lower()
    if not wanted:
        return None
    # A name that is the beginning of others stands for itself.
    found: list[ThemeChoice] = sorted((name for name in CHOICES if name.startswith(wanted)), key=len)
    return found[0] if len(found) == 1 or wanted in found else None


def _ours(theme: Theme) -> Theme:
    """A theme of Textual's with the colours that our sheets name."""
    text = Color.parse(theme.foreground or ("#e0e0e0" if theme.dark else "#1e1e1e"))
    ground = Color.parse(theme.background or ("#121212" if theme.dark else "#efefef"))
    return replace(
        theme,
        name=f"diligent-{theme.name}",
        accent=theme.accent or theme.primary,
        variables={
            **theme.variables,
            "dim": ground.blend(text, DIM_SHARE).hex,
            "memory": theme.warning or "#e0af68",
            "rule": ground.blend(text, RULE_SHARE).hex,
            "cursor": ground.blend(text, CURSOR_SHARE).hex,
        },
    )
