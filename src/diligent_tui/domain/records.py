"""The base of all that is written to disk: frozen, camelCase there, unknown fields kept."""

import sys
from types import ModuleType

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from diligent_tui.domain.json_objects import JsonObject

PLUGIN_LOADER = "pydantic.plugin._loader"


class NoPlugins(ModuleType):
    """Stands where pydantic looks for plugins: code of whatever is installed beside us, to be run on all we read.

    There is a variable to switch them off, but it would be seen by every command we run, and the search itself, through
    the names of all packages there are, would still be imported at every start.
    """

    def get_plugins(self) -> tuple[()]:
        """None."""
        return ()


sys.modules.setdefault(PLUGIN_LOADER, NoPlugins(PLUGIN_LOADER))


class Record(BaseModel):
    """A frozen value whose names are camelCase on disk and whose unknown fields survive."""

    model_config = ConfigDict(
        frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True, defer_build=True
    )


def to_json_object(record: Record) -> JsonObject:
    """The record as it stands on disk, without what is not set."""
    return record.model_dump(by_alias=True, exclude_none=True)
