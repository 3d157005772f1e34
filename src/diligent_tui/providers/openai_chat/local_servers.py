"""Looks for model servers on this machine, when the user asks for models; never at start, and nowhere else."""

import asyncio
from dataclasses import dataclass

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.openai_chat import plain_http
from diligent_tui.providers.openai_chat.windows import LookUp
from diligent_tui.providers.servers import SERVERS
from diligent_tui.providers.wire.values import is_array, is_object

SECONDS = 0.5
"""This machine answers at once or not at all."""
MOST_MODELS = 200
LONGEST_NAME_CHARS = 120
PLACES: tuple[tuple[str, str], ...] = tuple(
    (name, server.base_url) for name, server in SERVERS.items() if server.is_local
)
"""Who usually listens where on this machine: the name of its provider, and the address of its API."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and the models it offers."""

    provider: str
    base_url: str
    models: tuple[str, ...]


async def find_local_servers(
    places: tuple[tuple[str, str], ...] = PLACES, look_up: LookUp = plain_http.look_up
) -> tuple[LocalServer, ...]:
    """The servers that answer on this machine with a list of models; those that do not are left out."""
    asked = (look_up(f"{base_url}/models", None, SECONDS) for _, base_url in places)
    answers = await asyncio.gather(*asked)
    found = [(name, base_url, _models(answer)) for (name, base_url), answer in zip(places, answers, strict=True)]
    return tuple(LocalServer(name, base_url, models) for name, base_url, models in found if models is not None)


def _models(answer: object) -> tuple[str, ...] | None:
    """The names in a list of models; None if this is none, for anything may listen at such a port."""
    entries = answer.get("data") if is_object(answer) else None
    if not is_object(answer) or answer.get("object") != "list" or not (is_array(entries) or entries is None):
        return None
    names = [entry.get("id") for entry in (entries or [])[:MOST_MODELS] if is_object(entry)]
    return tuple(name for name in names if isinstance(name, str) and name == clean_line(name, LONGEST_NAME_CHARS))
