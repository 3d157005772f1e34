"""The permission modes."""

from typing import Literal

Mode = Literal["plan", "ask", "auto-edit", "full"]
MODES: tuple[Mode, ...] = ("plan", "ask", "auto-edit", "full")
