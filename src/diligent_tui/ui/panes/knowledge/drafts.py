"""What a form makes of an entry, checked before it is sent off; and the type that a sentence seems to be of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import (
    DEFAULT_CONFIDENCE,
    KNOWLEDGE_TYPES,
    KnowledgeEntry,
    KnowledgeScope,
    KnowledgeType,
)
from diligent_tui.knowledge.admission import admit

SCOPES: tuple[KnowledgeScope, ...] = get_args(KnowledgeScope)
CONFIDENCE_PROBLEM = "Confidence is a number from 0 to 1, such as 0.8."
_TELLING: Mapping[KnowledgeType, re.Pattern[str]] = MappingProxyType(
    {
        "correction": re.compile(r"\b(never|don't|do not|not|no longer|instead|actually|wrong|rather than)\b", re.I),
        "preference": re.compile(r"\b(i|me|my|prefers?|please|likes?|wants?|always|answers?|style)\b", re.I),
        "decision": re.compile(r"\b(we|decided?|decision|chose|agreed|settled|will|is to be)\b", re.I),
        "discovery": re.compile(r"\b(because|turns out|found|seems|has|have|needs?|takes|fails?|flaky)\b", re.I),
    }
)
"""The first that fits; what says nothing of the kind is how things are done here: a pattern."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as it stands in the form."""

    type: KnowledgeType = "pattern"
    content: str = ""
    confidence: str = f"{DEFAULT_CONFIDENCE:g}"
    tags: str = ""
    scope: KnowledgeScope = "project"

    @classmethod
    def of(cls, entry: KnowledgeEntry) -> "Draft":
        """An entry that is there, to be edited."""
        return cls(entry.type, entry.content, f"{entry.confidence:g}", " ".join(entry.tags), entry.scope)

    @classmethod
    def kept_in(cls, fields: Mapping[str, str]) -> "Draft | None":
        """A draft from its fields; None where one is not as it must be."""
        kinds: dict[str, KnowledgeType] = {known: known for known in KNOWLEDGE_TYPES}
        scopes: dict[str, KnowledgeScope] = {known: known for known in SCOPES}
        kind, scope = kinds.get(fields.get("type", "")), scopes.get(fields.get("scope", ""))
        if kind is None or scope is None:
            return None
        content, confidence, tags = (fields.get(name, "") for name in ("content", "confidence", "tags"))
        return cls(kind, content, confidence, tags, scope)

    @property
    def fields(self) -> Mapping[str, str]:
        """The draft field by field, to be kept."""
        return {
            "type": self.type,
            "content": self.content,
            "confidence": self.confidence,
            "tags": self.tags,
            "scope": self.scope,
        }

    @property
    def tag_list(self) -> tuple[str, ...]:
        """The tags, each once, without the sign that some put before them."""
        words = (word.strip("#") for word in re.split(r"[\s,]+", self.tags))
        return tuple(dict.fromkeys(word for word in words if word))

    @property
    def confidence_value(self) -> float | None:
        """The confidence as a number; None if it is none from 0 to 1. A percentage will do."""
        words = self.confidence.strip().replace(",", ".")
        try:
            value = float(words.removesuffix("%")) / 100 if words.endswith("%") else float(words)
        except ValueError:
            return None
        return value if 0 <= value <= 1 else None

    @property
    def problem(self) -> str:
        """Why it cannot be saved as it stands; nothing if it can."""
        confidence = self.confidence_value
        if confidence is None:
            return CONFIDENCE_PROBLEM
        try:
            admit(KnowledgeEntry(type=self.type, content=self.content, confidence=confidence, tags=self.tag_list))
        except StorageError as error:
            return f"{error.message} {error.advice}"
        return ""


def guess_type(content: str) -> KnowledgeType:
    """The type that a sentence seems to be of, to begin a form with."""
    for kind, telling in _TELLING.items():
        if telling.search(content):
            return kind
    return "pattern"
