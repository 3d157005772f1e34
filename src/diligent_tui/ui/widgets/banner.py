"""What went wrong with memory and what can be done about it, above the prompt; typing is never taken away by it."""

from typing import Literal

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import KEY_STYLE, key_name, render_keys

Deed = Literal["retry", "strategy", "new", "dismiss"]
DEEDS: dict[str, Deed] = {"r": "retry", "s": "strategy", "n": "new", "escape": "dismiss"}
WORDS: dict[Deed, str] = {"retry": "retry", "strategy": "other strategy", "new": "new session", "dismiss": "dismiss"}


class Banner(Widget, can_focus=True):
    """Two rows: what happened, and keys that act once the focus is here."""

    class Chosen(Message):
        """One of the ways out was chosen."""

        def __init__(self, deed: Deed) -> None:
            """Carry which."""
            super().__init__()
            self.deed: Deed = deed

    def __init__(self, words: str, deeds: tuple[Deed, ...], key: str = "F10") -> None:
        """Say what happened, and offer these ways out; `key` is the one that leads here."""
        super().__init__(id="banner")
        self._words = words
        self._deeds: tuple[Deed, ...] = (*deeds, "dismiss")
        self._key = key

    def on_key(self, event: events.Key) -> None:
        """Do what a key offers; others are for whoever stands around."""
        deed = DEEDS.get(event.key)
        if deed is not None and deed in self._deeds:
            event.stop()
            event.prevent_default()
            self.post_message(self.Chosen(deed))

    def render(self) -> Content:
        """The words on as many rows as they need, then the keys."""
        width = max(1, self.content_size.width)
        before = "" if self.has_focus else f"{self._key}, then  "
        hints = [(key_name(key), WORDS[deed]) for key, deed in DEEDS.items() if deed in self._deeds]
        keys = render_keys(hints, width - len(before), KEY_STYLE if self.has_focus else "$dim")
        words = fit(self._words, 2 * width - 4)
        return Content.assemble(("✗ ", "bold $error"), (words, "$error"), "\n", (before, "$dim"), keys)
