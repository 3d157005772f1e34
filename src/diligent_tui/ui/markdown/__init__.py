"""Markdown as rows of segments, whole or while it is being written."""

from diligent_tui.ui.markdown.live import LiveLines, LiveMarkdown, render
from diligent_tui.ui.markdown.look import CodeLook, MarkdownLook

__all__ = ["CodeLook", "LiveLines", "LiveMarkdown", "MarkdownLook", "render"]
