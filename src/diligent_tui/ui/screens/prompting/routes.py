"""The app's part that carries wishes from the prompt to its desk; before the session is there, there is none."""

from typing import TYPE_CHECKING

from textual.app import App

if TYPE_CHECKING:
    from diligent_tui.ui.screens.prompting.desk import PromptDesk
    from diligent_tui.ui.widgets.prompt import PromptInput


class PromptRoutes(App[int]):
    """Handlers of what the prompt and the strip above it ask for."""

    prompting: "PromptDesk | None" = None

    def on_prompt_input_shell_wanted(self, message: "PromptInput.ShellWanted") -> None:
        """A command of the user's own."""
        if self.prompting is not None:
            self.run_worker(self.prompting.run_shell(message.text), group="shell")
