"""The colours: one accent, amber for memory, red for errors, green for done; each theme drawn for itself."""

from dataclasses import replace

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

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
        "dim": "#8089a8",
        "memory": "#e0af68",
        "rule": "#2b3040",
        "footer-background": "#191c25",
    },
)

LIGHT = Theme(
    name="diligent-light",
    primary="#2e5fb8",
    secondary="#4d5a78",
    accent="#2e5fb8",
    warning="#8a5a00",
    error="#b3123f",
    success="#3b6e1b",
    foreground="#23283a",
    background="#fbfaf7",
    surface="#f2f0ea",
    panel="#e8e5dc",
    dark=False,
    variables={
        "dim": "#626a80",
        "memory": "#8a5a00",
        "rule": "#d4d0c4",
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
        "footer-background": "ansi_default",
    },
)

CONTRAST = Theme(
    name="diligent-contrast",
    primary="#6fd3ff",
    secondary="#ffffff",
    accent="#6fd3ff",
    warning="#ffd000",
    error="#ff8080",
    success="#7dff7d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#141414",
    dark=True,
    variables={
        "dim": "#d0d0d0",
        "memory": "#ffd000",
        "rule": "#9a9a9a",
        "footer-background": "#000000",
    },
)

THEMES = {"dark": DARK, "light": LIGHT, "ansi": ANSI}
DIM_SHARE, RULE_SHARE = 0.66, 0.22
"""How much of the text's colour there is in what is dim, and in a thin rule."""


def theme_for(family: ThemeName, colours: str = "") -> Theme:
    """The theme of that name with our own colours added, or the one of ours if there is none."""
    if colours == "contrast":
        return CONTRAST
    found = BUILTIN_THEMES.get(colours)
    return THEMES[family] if found is None else _ours(found)


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
        },
    )
