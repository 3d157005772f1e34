"""What the user does with the agent's tools: in the place of a turn, so that what is sent meanwhile waits."""

from diligent_tui.agent.turns import Turns
from diligent_tui.agent.user_call import run_again
from diligent_tui.agent.user_shell import run_for_user
from diligent_tui.domain.json_objects import JsonObject


class UserActs:
    """The user's own hand in a session; each verb raises UsageError while the agent works."""

    def __init__(self, turns: Turns) -> None:
        """Take the place of these turns."""
        self._turns = turns

    async def run_again(self, name: str, arguments: JsonObject) -> None:
        """Run a call anew, under the rules in force; the model is told of it at the tail."""
        await self._turns.occupy(run_again(self._turns.desk, name, arguments))

    async def run_command(self, command: str) -> None:
        """Run a command in the agent's shell, unasked; the model is told of it at the tail."""
        await self._turns.occupy(run_for_user(self._turns.desk, command))
