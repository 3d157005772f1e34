"""The chat: the conversation as one log, and how its blocks are drawn."""

from diligent_tui.ui.panes.chat.pane import ChatDeed, ChatPane, chat_look

__all__ = ["ChatDeed", "ChatPane", "chat_look"]
