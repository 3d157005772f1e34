"""Keeps keys out of what is exported: ours become the name of their variable, others the name of their shape."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diligent_tui.domain.secret_text import without_secrets
from diligent_tui.storage.jsonl import encode_line, parse_line

API_KEY = re.compile(r"api_?key$", re.IGNORECASE)
SECRET_WORDS = re.compile(r"key|secret|token|passw|credential|auth(?!or)", re.IGNORECASE)
FEWEST_CHARS_OF_API_KEY = 6
FEWEST_CHARS = 12
"""Shorter values of other variables are settings such as `true` or `16384`, which would be found everywhere."""


@dataclass(frozen=True, slots=True)
class Mask:
    """Values that must not leave, each with the words that take its place; the longest first."""

    values: tuple[tuple[str, str], ...] = ()
    hides_shapes: bool = False
    """Whether what only looks like a key is hidden, too, in a text; a line of JSON stays as it was written."""

    def text(self, text: str) -> str:
        """The text without any of the values."""
        for value, name in self.values:
            text = text.replace(value, name)
        return without_secrets(text) if self.hides_shapes else text

    def line(self, data: bytes) -> bytes:
        """A line of JSON without any of the values; one that holds none keeps its bytes."""
        for value, name in self.values:
            for spelled in {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}:
                data = data.replace(spelled.encode(), name.encode())
        if self.values and b"\\u00" in data:
            return self._line_with_escapes(data)
        return data

    def _line_with_escapes(self, data: bytes) -> bytes:
        """Another writer may spell any letter as an escape."""
        value = parse_line(data)
        if value is None:
            return data
        masked = plain = json.dumps(value, ensure_ascii=False)
        for secret, name in self.values:
            masked = masked.replace(json.dumps(secret, ensure_ascii=False)[1:-1], name)
        return data if masked == plain else encode_line(json.loads(masked))[:-1]


def mask_of(environ: Mapping[str, str], more: Iterable[str] = ()) -> Mask:
    """The mask for the keys in an environment, and for `more` values from elsewhere, such as the settings."""
    found = {value: "[key]" for value in more if len(value) >= FEWEST_CHARS_OF_API_KEY}
    found.update((value, f"[{name}]") for name, value in environ.items() if _is_secret(name, value))
    return Mask(tuple(sorted(found.items(), key=lambda pair: -len(pair[0]))), hides_shapes=True)


def _is_secret(name: str, value: str) -> bool:
    if API_KEY.search(name):
        return len(value) >= FEWEST_CHARS_OF_API_KEY
    is_path_or_words = value.startswith("/") or len(value.split()) != 1
    return bool(SECRET_WORDS.search(name)) and len(value) >= FEWEST_CHARS and not is_path_or_words
