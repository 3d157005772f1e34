"""The colours: one accent, amber for memory, red for errors, green for done; each theme drawn for itself."""

from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

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

THEMES = {"dark": DARK, "light": LIGHT, "ansi": ANSI}
