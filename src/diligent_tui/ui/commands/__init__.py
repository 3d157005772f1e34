"""Every command of the screen, declared once: keys, palette, slash words, footer and help all read this."""

from collections.abc import Iterable

from diligent_tui.ui.commands.charts import CHARTS_COMMANDS, SHOW_CHARTS
from diligent_tui.ui.commands.command import Command, Where
from diligent_tui.ui.commands.context import CONTEXT_COMMANDS
from diligent_tui.ui.commands.everywhere import EVERYWHERE, IN_THE_CHAT, IN_THE_PROMPT
from diligent_tui.ui.commands.guide import GUIDE_COMMANDS
from diligent_tui.ui.commands.knowledge import KNOWLEDGE_COMMANDS
from diligent_tui.ui.commands.memory import MEMORY_COMMANDS
from diligent_tui.ui.commands.preview import PREVIEW_COMMANDS
from diligent_tui.ui.commands.queue import QUEUE_COMMANDS
from diligent_tui.ui.commands.recall import RECALL_COMMANDS
from diligent_tui.ui.commands.sessions import SESSION_COMMANDS
from diligent_tui.ui.commands.summary import SUMMARY_COMMANDS
from diligent_tui.ui.commands.tools import TOOL_COMMANDS
from diligent_tui.ui.commands.trace import TRACE_COMMANDS
from diligent_tui.ui.commands.tree import TREE_COMMANDS

__all__ = ["COMMANDS", "Command", "Where", "slash_command", "slash_words"]

COMMANDS: tuple[Command, ...] = (
    *EVERYWHERE,
    *MEMORY_COMMANDS,
    *SHOW_CHARTS,
    *GUIDE_COMMANDS,
    *IN_THE_PROMPT,
    *QUEUE_COMMANDS,
    *IN_THE_CHAT,
    *TREE_COMMANDS,
    *TOOL_COMMANDS,
    *KNOWLEDGE_COMMANDS,
    *CONTEXT_COMMANDS,
    *TRACE_COMMANDS,
    *CHARTS_COMMANDS,
    *SESSION_COMMANDS,
    *SUMMARY_COMMANDS,
    *PREVIEW_COMMANDS,
    *RECALL_COMMANDS,
)


def slash_command(word: str) -> Command | None:
    """The command that a slash word means; a beginning will do if it is the only one."""
    exact = next((command for command in COMMANDS if command.slash and command.slash == word), None)
    if exact or not word:
        return exact
    begun = [command for command in COMMANDS if command.slash.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def slash_words() -> Iterable[str]:
    """All slash words."""
    return (command.slash for command in COMMANDS if command.slash)
