"""Finds the theme to begin with; a terminal that is asked answers while the screen is imported."""

import os
import sys
import threading
from pathlib import Path

from diligent_tui.config.look import LIGHT_THEMES, Ground, Theme, load_ground, save_ground
from diligent_tui.ui.background import ask_terminal, ground_by_environment, has_few_colours, may_ask
from diligent_tui.ui.opening import ThemeName

OURS: tuple[Theme, ...] = ("auto", "dark", "light", "ansi")


class WantedTheme:
    """The theme of the settings; `auto` is dark or light like the terminal, which is asked at the first start only.

    Where there are sixteen colours, `auto` is ansi: of ours several would be brought down to the same one.
    """

    def __init__(self, theme: Theme, state_folder: Path) -> None:
        """Begin to ask, if that is needed; nothing is waited for yet."""
        self._theme: Theme = theme
        self._state_folder = state_folder
        self._asking: threading.Thread | None = None
        self._ground: Ground | None = None
        self._typed = ""
        self._is_ansi = theme == "ansi" or (theme == "auto" and has_few_colours(os.environ))
        if theme == "auto" and not self._is_ansi:
            self._ground = load_ground(state_folder) or ground_by_environment(os.environ)
            if self._ground is None and may_ask(os.environ):
                self._asking = threading.Thread(target=self._ask, name="ask-background", daemon=True)
                self._asking.start()

    @property
    def colours(self) -> str:
        """The name of a theme that is none of our three."""
        return "" if self._theme in OURS else self._theme

    def typed(self) -> str:
        """What was typed while the terminal was asked; it was read in the place of the screen."""
        if self._asking is not None:
            self._asking.join()
        return self._typed

    def family(self) -> ThemeName:
        """Which of ours it is, or is most like; an answer that is still to come is waited for, a moment at most."""
        if self._asking is not None:
            self._asking.join()
        if self._is_ansi:
            return "ansi"
        if self._theme == "auto":
            return self._ground or "dark"
        return "light" if self._theme in LIGHT_THEMES else "dark"

    def _ask(self) -> None:
        self._ground, self._typed = ask_terminal(sys.stdin.fileno())
        if self._ground is not None:
            save_ground(self._state_folder, self._ground)
