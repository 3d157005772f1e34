"""What a folder would change if it were trusted, in words, for the question that asks about it.

Reads no more than is shown, opens nothing that lies outside the project, and hands out clean text only. An item's
digest is that of the very bytes that are shown, so a yes is to what the user saw.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, assert_never, get_args

from diligent_tui.config.house import House
from diligent_tui.config.load import load_settings
from diligent_tui.config.outline import is_tree
from diligent_tui.config.reading import LARGEST_SETTINGS_BYTES, NotPlainFile, read_plain
from diligent_tui.config.settings import Settings
from diligent_tui.config.survey import INSTRUCTION_NAMES, Finding
from diligent_tui.domain.knowledge import KnowledgeLine, decode_knowledge
from diligent_tui.domain.plain_text import clean, clean_line, reveal
from diligent_tui.knowledge.state import fold
from diligent_tui.storage.jsonl import parse_line

MOST_SHOWN_CHARS = 20_000
MOST_SHOWN_LINES = 400
MOST_KNOWLEDGE_BYTES = 4_000_000
MOST_CHANGES = 200
MOST_SESSIONS = 10_000
LONGEST_LINE_CHARS = 200
LONGEST_ENTRY_CHARS = 2_000
LONGEST_VALUE_CHARS = 60
LONGEST_PATH_CHARS = 160
HIDDEN = "hidden characters"
NO_FLAGS: Mapping[str, object] = MappingProxyType({})


ChangeKind = Literal["change", "refused", "same"]
CHANGE_ORDER: tuple[ChangeKind, ...] = get_args(ChangeKind)


@dataclass(frozen=True, slots=True)
class Change:
    """One effect: a setting that would change or stay as it is, or one that is refused even after a yes."""

    kind: ChangeKind
    words: str


@dataclass(frozen=True, slots=True)
class TrustItem:
    """One thing that a folder brings, and what it would do; all texts but those of the finding are clean."""

    finding: Finding
    name: str
    words: str
    """What it would do, on one line."""
    brief: str
    """The same in two or three words."""
    changes: tuple[Change, ...] = ()
    content: str = ""
    """Its beginning."""
    warning: str = ""


def describe(house: House, flags: Mapping[str, object] = NO_FLAGS) -> tuple[TrustItem, ...]:
    """What the strangers in a house would change; reads files, so it is called in a thread."""
    return tuple(_item(finding, house, flags) for finding in house.strangers)


def _item(finding: Finding, house: House, flags: Mapping[str, object]) -> TrustItem:
    name = clean_line(finding.name, LONGEST_PATH_CHARS)
    if finding.leads_to is not None:
        return _outside(finding, finding.leads_to, name)
    match finding.kind:
        case "sessions":
            return _sessions(finding, name, house.places.sessions)
        case "settings" | "instructions" | "knowledge":
            pass
        case _:
            assert_never(finding.kind)
    most_bytes = MOST_KNOWLEDGE_BYTES if finding.kind == "knowledge" else LARGEST_SETTINGS_BYTES
    try:
        data = read_plain(finding.path, most_bytes)
    except NotPlainFile as error:
        is_only_long = finding.kind == "knowledge" and finding.path.is_file()
        brief = "not shown" if is_only_long else "not usable"
        return TrustItem(finding, name, f"{brief}: {error}", brief)
    except (OSError, ValueError):
        return TrustItem(finding, name, "not usable: it cannot be read", "not usable")
    seen = finding._replace(digest=hashlib.sha256(data).hexdigest())
    match finding.kind:
        case "settings":
            return _settings(seen, name, data, house, flags)
        case "instructions":
            return _instructions(seen, name, data)
        case "knowledge":
            return _knowledge(seen, name, data)
        case _:
            assert_never(finding.kind)


def _settings(finding: Finding, name: str, data: bytes, house: House, flags: Mapping[str, object]) -> TrustItem:
    after = load_settings(house.places, house.environ, flags, trusted=True)
    before_tree, after_tree = _tree(house.settings), _tree(after.settings)
    changes: list[Change] = []
    for setting, origin in after.provenance.items():
        if origin.layer == "project":
            old, new = _value(before_tree, setting), _value(after_tree, setting)
            shown = clean_line(setting, LONGEST_VALUE_CHARS)
            is_same = old == new
            words = f"{shown}: {_shown(old)}, as it is" if is_same else f"{shown}: {_shown(old)} → {_shown(new)}"
            changes.append(Change("same" if is_same else "change", words))
    for problem in after.problems:
        if problem.origin.layer == "project":
            where = f"line {problem.origin.line}: " if problem.origin.line else ""
            changes.append(Change("refused", clean_line(f"{where}{problem.message}", LONGEST_LINE_CHARS)))
    changed, refused = (sum(change.kind == kind for change in changes) for kind in ("change", "refused"))
    words = f"{_count(changed, 'setting')} would change" if changed else "no setting would change"
    words += f", {refused:,} refused anyway" if refused else ""
    brief = f"{changed:,} change" if changed else "no change"
    brief += f", {refused:,} refused" if refused else ""
    changes.sort(key=lambda change: CHANGE_ORDER.index(change.kind))
    content, warning = _text(data)
    return TrustItem(finding, name, words, brief, tuple(changes[:MOST_CHANGES]), content, warning)


def _instructions(finding: Finding, name: str, data: bytes) -> TrustItem:
    first_name = INSTRUCTION_NAMES[0]
    lines = _count(data.count(bytes([10])) + (not data.endswith(bytes([10]))), "line")
    size = f"{lines}, {_count(len(data), 'byte')}"
    is_second = finding.path.name != first_name and (finding.path.parent / first_name).is_file()
    told = f"not read while {first_name} stands beside it" if is_second else "told to the model in every session"
    content, warning = _text(data)
    brief = HIDDEN if warning else "not read" if is_second else lines
    return TrustItem(finding, name, _warned(f"{size}, {told}", warning), brief, (), content, warning)


def _knowledge(finding: Finding, name: str, data: bytes) -> TrustItem:
    lines: list[KnowledgeLine] = []
    for line in data.split(b"\n"):
        value = parse_line(line) if line.strip() else None
        if value is not None and (found := decode_knowledge(value)) is not None:
            lines.append(found)
    entries = list(fold(lines).entries.values())
    shown = "\n".join(f"{entry.type}  {entry.content[:LONGEST_ENTRY_CHARS]}" for entry in entries[:MOST_SHOWN_LINES])
    content, warning = _text(shown.encode(errors="replace"))
    counted = f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}"
    brief = HIDDEN if warning else counted
    words = _warned(f"{counted}, the best told to the model", warning)
    return TrustItem(finding, name, words, brief, (), content, warning)


def _warned(words: str, warning: str) -> str:
    """The danger goes before everything else, however much room there is."""
    return f"{HIDDEN} · {words}" if warning else words


def _sessions(finding: Finding, name: str, folder: Path) -> TrustItem:
    names = sorted(_session_names(folder))
    number = f"{MOST_SESSIONS:,} sessions or more" if len(names) >= MOST_SESSIONS else _count(len(names), "session")
    shown = "\n".join(clean_line(each, LONGEST_PATH_CHARS) for each in names[:MOST_SHOWN_LINES])
    return TrustItem(finding, name, f"{number}, offered to go on with", number, (), shown)


def _session_names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= MOST_SESSIONS:
                    return
                if entry.name.endswith(".jsonl"):
                    yield entry.name
    except OSError:
        return


def _outside(finding: Finding, target: Path, name: str) -> TrustItem:
    """A link out of the project: where it leads is all that is told before a yes."""
    where = clean_line(str(target), LONGEST_PATH_CHARS)
    match finding.kind:
        case "settings" | "instructions":
            words, brief = "a link out of this folder, which would be followed", "a link outside"
        case "knowledge" | "sessions":
            words, brief = "a link out of this folder, refused anyway", "a link, refused"
        case _:
            assert_never(finding.kind)
    return TrustItem(finding, name, words, brief, (), "", f"It leads to {where}. What lies there was not opened.")


def _text(data: bytes) -> tuple[str, str]:
    """The beginning of a text, and a warning if there is something in it that one would not see."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").expandtabs(4).removeprefix("\ufeff")
    hidden = clean(text) != text
    lines = text.split("\n", MOST_SHOWN_LINES)
    shown = "\n".join(lines[:MOST_SHOWN_LINES])[:MOST_SHOWN_CHARS]
    rest = len(text) - len(shown)
    end = f"\n… {rest:,} more characters" if rest > 1 else ""
    warning = "It holds hidden or control characters; they are spelled out below." if hidden else ""
    return (reveal(shown) if hidden else shown).rstrip("\n") + end, warning


def _tree(settings: Settings) -> dict[str, object]:
    return settings.model_dump(by_alias=True, mode="json")


def _value(tree: dict[str, object], dotted: str) -> object:
    value: object = tree
    for part in dotted.split("."):
        value = value.get(part) if is_tree(value) else None
    return value


def _shown(value: object) -> str:
    match value:
        case None:
            return "not set"
        case str():
            return clean_line(value, LONGEST_VALUE_CHARS)
        case _:
            return clean_line(json.dumps(value, ensure_ascii=False), LONGEST_VALUE_CHARS)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
