"""The base of all that is written to disk: frozen, camelCase there, unknown fields kept."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from diligent_tui.domain.json_objects import JsonObject


class Record(BaseModel):
    """A frozen value whose names are camelCase on disk and whose unknown fields survive."""

    model_config = ConfigDict(
        frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True, defer_build=True
    )


def to_json_object(record: Record) -> JsonObject:
    """The record as it stands on disk, without what is not set."""
    return record.model_dump(by_alias=True, exclude_none=True)
