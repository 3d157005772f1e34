"""What every run without a screen begins and ends with."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from diligent_tui.cli.exit_codes import DONE
from diligent_tui.cli.streams import let_go_of_output
from diligent_tui.config.house import House, enter
from diligent_tui.domain.errors import UsageError
from diligent_tui.tools.environment import hide_own_environment

Complain = Callable[[str], None]


def enter_house(cwd: str | None, flags: Mapping[str, object], *, trust: bool, complain: Complain) -> House:
    """Keep our keys to ourselves, look around, and tell what is not as it should be."""
    folder = Path(cwd or Path.cwd())
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", "Give --cwd the folder of the project.")
    hide_own_environment()
    house = enter(folder, os.environ, flags, trust_once=trust)
    for notice in house.notices:
        complain(notice)
    return house


def until_the_reader_leaves(act: Callable[[], object]) -> int:
    """Print something; whoever reads it through a pipe may leave when they have seen enough."""
    try:
        act()
        sys.stdout.flush()
    except BrokenPipeError:
        let_go_of_output()
    return DONE
