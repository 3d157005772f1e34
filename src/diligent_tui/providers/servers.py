"""Servers that speak Chat Completions and are known by a name of their own: where each usually listens."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A server by the provider's part of a model id; one on this machine needs no key."""

    title: str
    base_url: str
    key_variable: str = ""

    @property
    def is_local(self) -> bool:
        """True if it listens on this machine."""
        return not self.key_variable


SERVERS: Mapping[str, KnownServer] = MappingProxyType(
    {
        "ollama": KnownServer("Ollama", "http://127.0.0.1:11434/v1"),
        "lmstudio": KnownServer("LM Studio", "http://127.0.0.1:1234/v1"),
        "vllm": KnownServer("vLLM", "http://127.0.0.1:8000/v1"),
        "llamacpp": KnownServer("llama.cpp", "http://127.0.0.1:8080/v1"),
        "openrouter": KnownServer("OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    }
)
"""Any other is named in the settings with its address: provider.NAME.baseUrl."""
