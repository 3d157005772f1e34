"""Finds the theme to begin with; a terminal that is asked answers while the screen is imported."""

import os
import sys
import threading
from pathlib import Path

from diligent_tui.config.look import LIGHT_THEMES, Ground, Theme, load_ground, save_ground
from diligent_tui.ui.background import ask_terminal, ground_by_environment, may_ask
from diligent_tui.ui.opening import ThemeName

OURS: tuple[Theme, ...] = ("auto", "dark", "light", "ansi")


class WantedTheme:
    """The theme of the settings; `auto` is dark or light like the terminal, which is asked at the first start only."""

    def __init__(self, theme: Theme, state_folder: Path) -> None:
        """Begin to ask, if that is needed; nothing is waited for yet."""
        self._theme: Theme = theme
        self._state_folder = state_folder
        self._asking: threading.Thread | None = None
        self._ground: Ground | None = None
        if theme == "auto":
            self._ground = load_ground(state_folder) or ground_by_environment(os.environ)
            if self._ground is None and may_ask(os.environ):
                self._asking = threading.Thread(target=self._ask, name="ask-background", daemon=True)
                self._asking.start()

    @property
    def colours(self) -> str:
        """The name of a theme that is none of our three."""
        return "" if self._theme in OURS else self._theme

    def family(self) -> ThemeName:
        """Which of ours it is, or is most like; an answer that is still to come is waited for, a moment at most."""
        if self._asking is not None:
            self._asking.join()
        match self._theme:
            case "auto":
                return self._ground or "dark"
            case "ansi":
                return "ansi"
            case theme:
                return "light" if theme in LIGHT_THEMES else "dark"

    def _ask(self) -> None:
        self._ground = ask_terminal(sys.stdin.fileno())
        if self._ground is not None:
            save_ground(self._state_folder, self._ground)
