"""What every run without a screen begins with."""

import os
from pathlib import Path

from diligent_tui.cli.arguments import Arguments
from diligent_tui.config.assembly import House, enter
from diligent_tui.tools.environment import hide_own_environment


def enter_house(arguments: Arguments, folder: Path) -> House:
    """Keep our keys to ourselves, then look around."""
    hide_own_environment()
    return enter(folder, os.environ, arguments.flags(), trust_once=arguments.trust)
