"""Keeps pydantic's plugins out of the program: code of whatever is installed beside us, to be run on all we read."""

import sys
from types import ModuleType

LOADER = "pydantic.plugin._loader"


class NoPlugins(ModuleType):
    """Stands where pydantic looks for plugins.

    There is a variable to switch them off, but the search through the names of all packages there are would still be
    imported at every start. Who uses us as a library keeps his plugins.
    """

    def get_plugins(self) -> tuple[()]:
        """None."""
        return ()


def keep_plugins_out() -> None:
    """Before pydantic makes its first model."""
    sys.modules.setdefault(LOADER, NoPlugins(LOADER))
