"""The styles of the chat, made from the theme."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style

from diligent_tui.ui.markdown import MarkdownLook
from diligent_tui.ui.markdown_looks import look_for
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.widgets import diff

if TYPE_CHECKING:
    from diligent_tui.ui.widgets.diff import DiffLook


@dataclass(frozen=True, slots=True)
class ChatLook:
    """How what is said and done looks."""

    markdown: MarkdownLook
    text: Style
    dim: Style
    accent: Style
    success: Style
    error: Style
    memory: Style
    theme: ThemeName
    variables: Mapping[str, str]

    def for_diffs(self) -> "DiffLook":
        """How a diff looks."""
        return diff.diff_look(self.theme, self.variables)


def chat_look(theme: ThemeName, variables: dict[str, str]) -> ChatLook:
    """The chat's styles from the theme's variables."""

    def colour(name: str) -> Style:
        value = variables.get(name, "")
        return Style(color=value.removeprefix("ansi_").replace("default", "") or None) if value else Style()

    return ChatLook(
        markdown=look_for(theme),
        text=colour("foreground") if theme != "ansi" else Style(),
        dim=colour("dim") if theme != "ansi" else Style(dim=True),
        accent=colour("accent"),
        success=colour("success"),
        error=colour("error"),
        memory=colour("memory"),
        theme=theme,
        variables=variables,
    )
