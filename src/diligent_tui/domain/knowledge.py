"""The lines of a knowledge file: facts kept across sessions and changes to them, decoded leniently."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, Literal, TypeGuard, get_args

from pydantic import Field, ValidationError

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.domain.records import Record, to_json_object
from diligent_tui.domain.times import Stamp, from_stamp

KnowledgeType = Literal["pattern", "decision", "discovery", "preference", "correction"]
KnowledgeScope = Literal["project", "user"]
KnowledgeOp = Literal["retract", "restore", "pin", "unpin"]
KnowledgeAuthor = Literal["user", "model"]

KNOWLEDGE_TYPES: tuple[KnowledgeType, ...] = get_args(KnowledgeType)
DEFAULT_CONFIDENCE = 0.8
KNOWLEDGE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
"""Ids are shown to the model and said back by it, so what could not stand in a line of text is no id."""
ID_NAMES = ("id", "supersedes", "targetId")
STAND_IN = "old-"
"""How the id begins that is taken for one that cannot be told."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""The moment of a line whose timestamp cannot be read: before all others."""

DEFAULT_HALF_LIFE_DAYS: Mapping[KnowledgeType, float] = MappingProxyType(
    {"pattern": 730.0, "decision": 730.0, "discovery": 30.0, "preference": 730.0, "correction": 730.0}
)
"""What is seen by the way passes; what was decided, preferred or corrected holds until it is superseded. With 30 days
for all, the benchmark finds no old rule left among ten times the budget."""
DEFAULT_TYPE_WEIGHTS: Mapping[KnowledgeType, float] = MappingProxyType(
    {"pattern": 1.0, "decision": 1.0, "discovery": 0.8, "preference": 1.3, "correction": 1.5}
)


@dataclass(frozen=True, slots=True)
class KnowledgePolicy:
    """How much knowledge the model is told, and what counts for how much; settings become this."""

    enabled: bool = True
    budget_tokens: int = 8_192
    share_of_window: float = 0.10
    half_life_days: Mapping[KnowledgeType, float] = field(default_factory=lambda: DEFAULT_HALF_LIFE_DAYS)
    type_weights: Mapping[KnowledgeType, float] = field(default_factory=lambda: DEFAULT_TYPE_WEIGHTS)


class KnowledgeEntry(Record):
    """A fact; one that is not saved yet has neither id nor timestamp. `pinned` is how it began."""

    id: str = ""
    timestamp: Stamp = ""
    session_id: str | None = None
    entry_id: str | None = None
    type: KnowledgeType
    content: str
    confidence: Annotated[float, Field(ge=0, le=1)] = DEFAULT_CONFIDENCE
    supersedes: str | None = None
    tags: tuple[str, ...] = ()
    pinned: bool = False
    scope: KnowledgeScope = "project"
    author: KnowledgeAuthor | None = None
    """Who wrote it, if that is known; what a model wrote by itself is shown as such."""

    @property
    def moment(self) -> datetime:
        """When it was saved."""
        return from_stamp(self.timestamp) or LONG_AGO


class KnowledgeChange(Record):
    """A change to one entry: taken back, brought back, pinned or unpinned."""

    op: KnowledgeOp
    id: str = ""
    target_id: str
    timestamp: Stamp = ""

    @property
    def moment(self) -> datetime:
        """When it was made."""
        return from_stamp(self.timestamp) or LONG_AGO


KnowledgeLine = KnowledgeEntry | KnowledgeChange


def encode_knowledge(line: KnowledgeLine) -> JsonObject:
    """The line as it stands on disk."""
    return to_json_object(line)


def decode_knowledge(line: JsonObject) -> KnowledgeLine | None:
    """The entry or change that a parsed line means; None without an id, a known type or op, and words or a target."""
    line_class = KnowledgeChange if "op" in line else KnowledgeEntry
    value = _with_fit_ids(mend_surrogates(line))
    try:
        found = line_class.model_validate(value)
    except ValidationError:
        try:
            found = line_class.model_validate(_mended(value))
        except ValidationError:
            return None
    match found:
        case KnowledgeEntry():
            return found if found.id and found.content.strip() else None
        case KnowledgeChange():
            return found if found.id and found.target_id else None


def is_knowledge_id(text: str) -> bool:
    """Whether a text can be an id."""
    return KNOWLEDGE_ID.fullmatch(text) is not None


def fit_id(given: object) -> str:
    """An id that can stand in a line of text: as it was given, or the same stand-in each time; empty for none."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str) or not given.strip():
        return ""
    if is_knowledge_id(given):
        return given
    return STAND_IN + hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _with_fit_ids(line: JsonObject) -> JsonObject:
    """The line with ids that can be told; earlier versions and other programs took ids of any form."""
    fit = {name: fit_id(line[name]) for name in ID_NAMES if name in line}
    if all(line[name] == fit_value for name, fit_value in fit.items()):
        return line
    return {**line, **{name: value or None if name == "supersedes" else value for name, value in fit.items()}}


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _mended(line: JsonObject) -> JsonObject:
    """The line without those fields that a person's slip made useless and that it can do without."""
    mended = dict(line)
    confidence = mended.pop("confidence", None)
    if isinstance(confidence, int | float) and not isinstance(confidence, bool):
        mended["confidence"] = min(1.0, max(0.0, confidence))
    for name in ("sessionId", "entryId", "supersedes"):
        if not isinstance(mended.get(name), str):
            mended.pop(name, None)
    if not isinstance(mended.get("pinned"), bool):
        mended.pop("pinned", None)
    if not isinstance(mended.get("timestamp"), str | int | float):
        mended.pop("timestamp", None)
    tags = mended.pop("tags", None)
    if _is_list(tags):
        mended["tags"] = [tag for tag in tags if isinstance(tag, str)]
    if mended.get("scope") not in get_args(KnowledgeScope):
        mended.pop("scope", None)
    if mended.get("author") not in get_args(KnowledgeAuthor):
        mended.pop("author", None)
    return mended
