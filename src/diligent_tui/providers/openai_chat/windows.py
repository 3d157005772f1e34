"""Asks a server how large the window of a model is; every server tells it in its own place."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.base import ServerWindow
from diligent_tui.providers.openai_chat import plain_http
from diligent_tui.providers.token_counts import count
from diligent_tui.providers.wire.values import is_array, is_object

SECONDS = 2.0
"""For each question; a server that is slower than this is not asked."""
MOST_SECONDS = 4.0
"""For all of them: the user's prompt waits meanwhile."""
OLLAMA_DEFAULT_TOKENS = 4_096
"""What Ollama gives a model that was not told otherwise, however large the model's own window is."""

_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)
_LISTED = ("max_model_len", "context_length", "context_window", "max_context_length")
"""What vLLM, OpenRouter, Groq and Mistral call it in their lists of models."""
_OLLAMA_ADVICE = (
    "Ollama gives a model 4,096 tokens unless OLLAMA_CONTEXT_LENGTH or num_ctx says otherwise, and silently drops what "
    "does not fit. 32,000 or more are better for an agent."
)
_LM_STUDIO_ADVICE = "LM Studio may load the model with less; its context length can be set when loading."

LookUp = Callable[[str, JsonObject | None, float], Awaitable[object]]
"""Takes a URL, a body to post if any, and the seconds to wait; gives JSON, or None."""


async def window_of(base_url: str, model: str, look_up: LookUp = plain_http.look_up) -> ServerWindow | None:
    """The window of a model at a server; None where it does not say."""
    api = base_url.rstrip("/")
    root = api.removesuffix("/v1")
    with suppress(TimeoutError):
        async with asyncio.timeout(MOST_SECONDS):
            for ask, address in ((_listed, api), (_ollama, root), (_lm_studio, root), (_llama_cpp, root)):
                if found := await ask(address, model, look_up):
                    return found
    return None


async def _listed(api: str, model: str, look_up: LookUp) -> ServerWindow | None:
    entry = _entry(await look_up(f"{api}/models", None, SECONDS), "data", model)
    tokens = next((tokens for key in _LISTED if (tokens := count(entry.get(key)))), None)
    return ServerWindow(tokens, "the server's list of models") if tokens else None


async def _ollama(root: str, model: str, look_up: LookUp) -> ServerWindow | None:
    """What is loaded is in force; else what the model's file says; else the server's default, which is small."""
    loaded, shown = await asyncio.gather(
        look_up(f"{root}/api/ps", None, SECONDS), look_up(f"{root}/api/show", {"model": model}, SECONDS)
    )
    details: JsonObject = shown if is_object(shown) else {}
    info = details.get("model_info")
    most = _trained(info) if is_object(info) else None
    if tokens := count(_entry(loaded, "models", model).get("context_length")):
        return ServerWindow(tokens, "Ollama", most_tokens=most, advice=_ollama_advice(tokens))
    parameters = details.get("parameters")
    if isinstance(parameters, str) and (told := _NUM_CTX.search(parameters)):
        return ServerWindow(int(told[1]), "Ollama", most_tokens=most, advice=_ollama_advice(int(told[1])))
    if most is None:
        return None
    tokens = min(most, OLLAMA_DEFAULT_TOKENS)
    return ServerWindow(tokens, "Ollama's default", is_sure=False, most_tokens=most, advice=_OLLAMA_ADVICE)


async def _lm_studio(root: str, model: str, look_up: LookUp) -> ServerWindow | None:
    entry = _entry(await look_up(f"{root}/api/v0/models", None, SECONDS), "data", model)
    most = count(entry.get("max_context_length"))
    if tokens := count(entry.get("loaded_context_length")):
        return ServerWindow(tokens, "LM Studio", most_tokens=most)
    if not most:
        return None
    return ServerWindow(most, "LM Studio", is_sure=False, most_tokens=most, advice=_LM_STUDIO_ADVICE)


async def _llama_cpp(root: str, _: str, look_up: LookUp) -> ServerWindow | None:
    props = await look_up(f"{root}/props", None, SECONDS)
    settings = props.get("default_generation_settings") if is_object(props) else None
    tokens = count(settings.get("n_ctx")) if is_object(settings) else None
    return ServerWindow(tokens, "llama.cpp") if tokens else None


def _entry(answer: object, key: str, model: str) -> JsonObject:
    """The model's entry in a list of models; Ollama calls a model without a tag the latest."""
    entries = answer.get(key) if is_object(answer) else None
    names = (model, f"{model}:latest")
    for entry in entries if is_array(entries) else []:
        if is_object(entry) and any(entry.get(field) in names for field in ("id", "name", "model")):
            return entry
    return {}


def _trained(info: Mapping[str, object]) -> int | None:
    found = (count(value) for key, value in info.items() if key.endswith(".context_length"))
    return next((tokens for tokens in found if tokens), None)


def _ollama_advice(tokens: int) -> str:
    return _OLLAMA_ADVICE if tokens <= OLLAMA_DEFAULT_TOKENS else ""
