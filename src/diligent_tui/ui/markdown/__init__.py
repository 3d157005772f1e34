"""Markdown as rows of segments, whole or while it is being written."""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names
from diligent_tui.ui.markdown.live import LiveLines, LiveMarkdown, render
from diligent_tui.ui.markdown.look import CodeLook, MarkdownLook

if TYPE_CHECKING:
    from diligent_tui.ui.markdown.tongues import tongue_named

__all__ = ["CodeLook", "LiveLines", "LiveMarkdown", "MarkdownLook", "render", "tongue_named"]

__getattr__ = late_names(__name__, {"tongue_named": "tongues"})
