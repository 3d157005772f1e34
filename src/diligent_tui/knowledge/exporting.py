"""Knowledge as a file to read or to carry elsewhere: Markdown that a person can edit, or JSON lines; and back again.

In Markdown each entry is a list item under the heading of its type; what else belongs to it stands behind it as a
comment. An item that a person adds without a comment is an entry too.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.knowledge import (
    KNOWLEDGE_TYPES,
    KnowledgeEntry,
    KnowledgeLine,
    KnowledgeType,
    decode_knowledge,
    encode_knowledge,
)
from diligent_tui.domain.plain_text import clean
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.knowledge.state import KnowledgeState, fold
from diligent_tui.storage.jsonl import BYTE_ORDER_MARK, encode_line, parse_line

KnowledgeFormat = Literal["md", "jsonl"]
FORMAT_OF_SUFFIX: dict[str, KnowledgeFormat] = {".md": "md", ".markdown": "md", ".jsonl": "jsonl", ".json": "jsonl"}
TITLE = "# Knowledge"
_HEADINGS: dict[KnowledgeType, str] = {
    "correction": "Corrections",
    "preference": "Preferences",
    "decision": "Decisions",
    "pattern": "Patterns",
    "discovery": "Discoveries",
}
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<name>.+?)[ \t#]*")
_ITEM = re.compile(r"[-*+][ \t]+(?P<text>.*)")
_COMMENT = re.compile(r"[ \t]*<!--(?P<said>.*)-->[ \t]*")
COMMENTED = ("id", "timestamp", "sessionId", "entryId", "confidence", "tags", "pinned", "scope", "author")


def write_markdown(entries: Sequence[KnowledgeEntry], tell: Tell = tell_nobody) -> str:
    """Entries under the headings of their types, in the order in which they are given."""
    items: dict[KnowledgeType, list[str]] = {kind: [] for kind in _HEADINGS}
    for number, entry in enumerate(entries):
        tell(number, len(entries))
        items[entry.type].append(_item(entry))
    parts = [f"## {heading}\n\n" + "\n".join(items[kind]) for kind, heading in _HEADINGS.items() if items[kind]]
    return "\n\n".join([TITLE, *parts]) + "\n"


def write_lines(lines: Sequence[KnowledgeLine], tell: Tell = tell_nobody) -> bytes:
    """Entries and changes as they stand in a knowledge file."""
    written: list[bytes] = []
    for number, line in enumerate(lines):
        tell(number, len(lines))
        written.append(encode_line(encode_knowledge(line)))
    return b"".join(written)


def read_entries(data: bytes, form: KnowledgeFormat, tell: Tell = tell_nobody) -> KnowledgeState:
    """What a file of either format holds; nothing is believed, and what means nothing is counted as damaged."""
    if form == "md":
        values = [*_markdown_objects(data.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "replace"))]
    else:
        values = [parse_line(row) for row in data.split(b"\n") if row.strip()]
    lines: list[KnowledgeLine | None] = []
    for number, value in enumerate(values):
        tell(number, len(values))
        lines.append(decode_knowledge(value) if value is not None else None)
    return fold([line for line in lines if line is not None], lines.count(None))


def _item(entry: KnowledgeEntry) -> str:
    first, *others = clean(entry.content).strip().split("\n")
    known = encode_knowledge(entry)
    # Signs that could end the comment are written as escapes.
    said = json.dumps({name: known[name] for name in COMMENTED if name in known}).replace(">", "\\u003e")
    return "\n".join([f"- {first}", *(f"  {line}".rstrip() for line in others), f"  <!-- {said} -->"])


def _markdown_objects(text: str) -> Iterator[JsonObject]:
    kind = "discovery"
    words: list[str] = []
    about: JsonObject = {}
    number = 0

    def finished() -> Iterator[JsonObject]:
        nonlocal number
        if words:
            number += 1
            # An item without an id is given one for as long as it is read.
            yield {"id": f"item.{number}", **about, "type": kind, "content": "\n".join(words).strip()}

    for line in text.splitlines():
        if heading := _HEADING.fullmatch(line):
            yield from finished()
            words, about = [], {}
            kind = _type_of(heading["name"])
        elif item := _ITEM.fullmatch(line):
            yield from finished()
            words, about = [item["text"]], {}
        elif words and (comment := _COMMENT.fullmatch(line)):
            about = _object_in(comment["said"])
        elif words:
            words.append(line.removeprefix("  "))
    yield from finished()


def _type_of(heading: str) -> str:
    name = heading.strip().lower()
    known = {title.lower(): kind for kind, title in _HEADINGS.items()}
    return known.get(name) or next((kind for kind in KNOWLEDGE_TYPES if name == kind), "discovery")


def _object_in(said: str) -> JsonObject:
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        return {}
    return {name: value[name] for name in COMMENTED if name in value} if is_object(value) else {}
