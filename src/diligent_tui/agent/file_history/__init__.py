"""What files were before the agent changed them, kept for each turn, and the way back that never costs foreign work."""

from diligent_tui.agent.file_history.bringing import bring_history
from diligent_tui.agent.file_history.history import FileHistory
from diligent_tui.agent.file_history.past import ChangedFile, TurnChanges
from diligent_tui.agent.file_history.planning import FilePlan, Plan
from diligent_tui.agent.file_history.receipts import Receipt

__all__ = ["ChangedFile", "FileHistory", "FilePlan", "Plan", "Receipt", "TurnChanges", "bring_history"]
