"""Who helps while one writes, as the prompt knows it."""

from typing import Protocol

from textual import events


class Helper(Protocol):
    """Stands above the prompt and sees each key first, so that a list can be walked without leaving the text."""

    def take_key(self, event: events.Key) -> bool:
        """True if the key was meant for the helper."""
        ...

    def take_paste(self, text: str) -> bool:
        """True if a paste was meant for the helper."""
        ...

    def text_changed(self) -> None:
        """The text is another one."""
        ...

    def prompt_was_left(self) -> None:
        """The focus went elsewhere."""
        ...

    def search_history(self) -> None:
        """The user wants to find an earlier prompt."""
        ...

    def edit_outside(self) -> None:
        """The user wants to write in an editor of their own."""
        ...
