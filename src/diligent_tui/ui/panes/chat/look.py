"""The styles of the chat, made from the theme."""

from dataclasses import dataclass

from rich.style import Style

from diligent_tui.ui.markdown import MarkdownLook
from diligent_tui.ui.markdown_looks import look_for
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.widgets.diff import DiffLook, diff_look


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
    diff: DiffLook


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
        diff=diff_look(theme, variables),
    )
