"""Who the makers are: what to call them, and where their keys come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Vendor:
    """A maker of models, by the provider's part of a model id."""

    name: str
    title: str
    key_variable: str = ""
    keys_page: str = ""

    @property
    def key_advice(self) -> str:
        """How to come by a key that works."""
        if not self.key_variable:
            return "Check the key in your settings, and whether this server asks for one."
        return f"Set {self.key_variable} to a key made at {self.keys_page}, then start again."


VENDORS: Mapping[str, Vendor] = MappingProxyType(
    {
        "anthropic": Vendor(
            "anthropic", "Anthropic", "ANTHROPIC_API_KEY", "https://console.anthropic.com/settings/keys"
        ),
        "openai": Vendor("openai", "OpenAI", "OPENAI_API_KEY", "https://platform.openai.com/api-keys"),
        "openai-compatible": Vendor("openai-compatible", "The server"),
    }
)


def vendor(name: str) -> Vendor:
    """The maker by its name; one that nobody told us of is called by it."""
    return VENDORS.get(name) or Vendor(name, name)
