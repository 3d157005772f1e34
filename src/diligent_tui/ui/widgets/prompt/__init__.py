"""The prompt: a line editor of many lines, its history, and its way with pastes."""

from diligent_tui.ui.widgets.prompt.prompt import PromptInput

__all__ = ["PromptInput"]
