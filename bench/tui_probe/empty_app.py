"""The least a Textual program can be: one text, or with `--field` one field to type in."""

import sys

from textual.app import App, ComposeResult
from textual.widgets import Input, Static

WORDS = "Ask, or / for commands"


class EmptyApp(App[None]):
    """Shows one widget."""

    def compose(self) -> ComposeResult:
        """The widget."""
        yield Input(placeholder=WORDS) if "--field" in sys.argv else Static(WORDS)


if __name__ == "__main__":
    EmptyApp().run()
