"""What the command line asked the screen to open with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

ThemeName = Literal["dark", "light", "ansi", "contrast"]
Access = Literal["write", "read", "fork"]
"""How a session that is there is opened: to go on in it, only to read it, or to go on in a copy."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Where and how to begin; nothing here needs the core to be loaded."""

    cwd: Path
    environ: Mapping[str, str]
    flags: Mapping[str, object] = field(default_factory=dict[str, object])
    model: str | None = None
    prompt: str = ""
    goes_on: bool = False
    resume: str = ""
    access: Access = "write"
    chooses: bool = False
    """True if the sessions are to be shown first."""
    trust_once: bool = False
    theme: ThemeName = "dark"
    colours: str = ""
    """Another theme's name; `theme` tells then which of ours it is most like."""
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    reduced_motion: bool = False
    notifies: bool = True
    """True if the terminal is told when a long turn ends out of sight."""
    rings: bool = False
    """True if the bell rings then, too."""
    typed: str = ""
    """What was typed before there was a screen; it begins the prompt."""
    guides: bool = False
    """True if the guide of the demo is to be shown."""
