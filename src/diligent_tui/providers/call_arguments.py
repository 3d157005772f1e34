"""Reads the arguments of a call: a JSON object, or nothing that may ever run."""

import json

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import OtherBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.providers.wire.fitting import clean_object
from diligent_tui.providers.wire.values import is_object, is_sendable


def read_arguments(text: str) -> JsonObject | None:
    """The arguments if the text is a whole JSON object; None for half of one, or for anything else."""
    try:
        value: object = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not is_object(value):
        return None
    return value if is_sendable(value) else clean_object(value)


def unfinished_call(name: str, arguments: str) -> OtherBlock:
    """A call that never became whole, kept as words that are shown and never run."""
    return OtherBlock.model_validate({"type": "unfinished_call", "text": mend_surrogates(f"{name} {arguments}")})


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
