"""The chat: the conversation as one log, and how its blocks are drawn."""

from diligent_tui.ui.panes.chat.look import ChatLook, chat_look
from diligent_tui.ui.panes.chat.marks import Marks
from diligent_tui.ui.panes.chat.pane import ChatDeed, ChatPane, TreeDeed

__all__ = ["ChatDeed", "ChatLook", "ChatPane", "Marks", "TreeDeed", "chat_look"]
