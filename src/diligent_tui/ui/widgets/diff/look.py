"""The styles of a diff, made from the theme; signs tell all that colours tell."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.style import Style
from textual.color import Color
from textual.widget import Widget

from diligent_tui.ui.markdown import MarkdownLook
from diligent_tui.ui.markdown_looks import look_for
from diligent_tui.ui.opening import ThemeName

LINE_TINT = 0.075
WORD_TINT = 0.3
"""How much of the colour goes into the background: enough to be seen, little enough to read code on it."""
HALF_BRIGHT = 0.5
DIFF_CLASSES = frozenset({"diff--added", "diff--dim", "diff--removed"})
"""What a style sheet must colour for a widget that shows diffs."""


@dataclass(frozen=True, slots=True)
class DiffLook:
    """A style for each part of a diff; `code` colours the text itself."""

    code: MarkdownLook = field(default_factory=MarkdownLook)
    text: Style = field(default_factory=Style)
    dim: Style = field(default_factory=lambda: Style(dim=True))
    file: Style = field(default_factory=lambda: Style(bold=True))
    added: Style = field(default_factory=lambda: Style(color="green"))
    removed: Style = field(default_factory=lambda: Style(color="red"))
    added_line: Style = field(default_factory=Style)
    removed_line: Style = field(default_factory=Style)
    added_word: Style = field(default_factory=lambda: Style(underline=True, bold=True))
    removed_word: Style = field(default_factory=lambda: Style(underline=True, bold=True))


def diff_look(theme: ThemeName, variables: Mapping[str, str]) -> DiffLook:
    """The look of diffs in a theme, from its variables."""
    if theme == "ansi":
        return _plain_look()
    ground, text, dim, added, removed = (
        Color.parse(variables[name]) for name in ("background", "foreground", "dim", "success", "error")
    )
    return _look(theme, ground, text, dim, added, removed)


def look_around(widget: Widget) -> DiffLook:
    """The look of diffs in a widget that has DIFF_CLASSES among its component classes."""
    base = widget.rich_style
    styles = [widget.get_component_rich_style(name) for name in sorted(DIFF_CLASSES)]
    if base.bgcolor is None or base.color is None or base.bgcolor.is_default:
        return _plain_look()
    added, dim, removed = (Color.from_rich_color(style.color) for style in styles)
    ground = Color.from_rich_color(base.bgcolor)
    return _look(
        # Only the theme of high contrast is wholly black.
        "contrast" if not ground.brightness else "dark" if ground.brightness < HALF_BRIGHT else "light",
        ground,
        Color.from_rich_color(base.color),
        dim,
        added,
        removed,
    )


def _look(theme: ThemeName, ground: Color, text: Color, dim: Color, added: Color, removed: Color) -> DiffLook:
    def on(colour: Color, share: float) -> Style:
        return Style(bgcolor=ground.blend(colour, share).rich_color)

    return DiffLook(
        # A code block's own background would hide that of the line.
        code=look_for(theme)._replace(text=Style(color=text.rich_color), code_block=Style()),
        text=Style(color=text.rich_color),
        dim=Style(color=dim.rich_color),
        file=Style(color=text.rich_color, bold=True),
        added=Style(color=added.rich_color),
        removed=Style(color=removed.rich_color),
        added_line=on(added, LINE_TINT),
        removed_line=on(removed, LINE_TINT),
        # On the stronger shade the colours of code would be hard to read.
        added_word=Style(color=text.rich_color) + on(added, WORD_TINT),
        removed_word=Style(color=text.rich_color) + on(removed, WORD_TINT),
    )


def _plain_look() -> DiffLook:
    """For terminals whose colours are not ours to mix: signs, and lines under changed words."""
    return DiffLook(code=look_for("ansi")._replace(code_block=Style()))
