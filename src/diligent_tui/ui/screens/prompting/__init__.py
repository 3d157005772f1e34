"""What stands around the prompt: the list above it, earlier prompts, the user's own editor and shell."""

from diligent_tui.ui.screens.prompting.desk import PromptDesk

__all__ = ["PromptDesk"]
