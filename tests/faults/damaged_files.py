"""Session files as crashes, editors, other programs and malice leave them, and what is intact in each."""

from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.domain.entries import (
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    LabelEntry,
    LeafEntry,
    ModelChangeEntry,
    PinEntry,
    PruneEntry,
    PruneItem,
    QueuedEntry,
    SessionInfoEntry,
    UnqueuedEntry,
)
from diligent_tui.domain.json_objects import JsonObject
from tests.session.drafts import HEADER, STAMP, answered, conversation, line_of, piece, said

HEAD = line_of(HEADER)
TALK: list[Entry] = conversation(3)
LAST = TALK[-1].id
OTHERS: list[Entry] = [
    ModelChangeEntry(id="c0000001", parent_id=LAST, timestamp=STAMP, provider="p", model_id="m"),
    LabelEntry(id="c0000002", parent_id=LAST, timestamp=STAMP, target_id=TALK[0].id, label="here"),
    SessionInfoEntry(id="c0000003", parent_id=LAST, timestamp=STAMP, name="named"),
    CompactionEntry(id="c0000004", parent_id="c0000001", timestamp=STAMP, summary="s", first_kept_entry_id=LAST),
    QueuedEntry(id="c0000005", parent_id="c0000004", timestamp=STAMP, text="later"),
]
ENTRIES: list[Entry] = [*TALK, *OTHERS]
LINES = [line_of(entry) for entry in ENTRIES]
MIDDLE = 6
NO_UTF8 = (b"\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xf0\x9f", b"\xfe\xff", b"\x80" * 9, b"\xc0\x80")
NO_ENTRIES = ("[]", "{}", '""', "null", "true", "0", "-1", '{"type":"message"}', '{"id":"x"}', '{"type":1,"id":""}')


@dataclass(frozen=True)
class Case:
    """A file and its story; `intact` are the entries that must be found in it."""

    name: str
    data: bytes
    intact: tuple[Entry, ...] = tuple(ENTRIES)


def cases() -> Iterator[Case]:
    """Every case."""
    yield from _torn()
    yield from _glued()
    yield from _noise()
    yield from _odd_values()
    yield from _odd_trees()
    yield from _odd_files()


def _between(noise: bytes, at: int = MIDDLE) -> bytes:
    return HEAD + b"".join(LINES[:at]) + noise + b"".join(LINES[at:])


def _torn() -> Iterator[Case]:
    """The tail torn within six types of record, at ten places each."""
    types: list[Entry] = [TALK[1], TALK[2], *OTHERS[:4]]
    for number, entry in enumerate(types):
        line = line_of(entry.model_copy(update={"id": f"dddddd{number:02}"}))
        for tenth in range(10):
            torn = line[: 40 + (len(line) - 42) * tenth // 9]
            yield Case(f"{entry.type} {entry.id} torn after {len(torn)}", HEAD + b"".join(LINES) + torn)


def _glued() -> Iterator[Case]:
    torn = line_of(answered("dddddddd", LAST, "never finished"))
    for share in (1, 10, 40, len(torn) - 2):
        yield Case(f"an entry glued to a torn one of {share}", _between(torn[:share]))
    whole = [line[:-1] for line in LINES]
    yield Case("two on one line", HEAD + b"".join([*LINES[:3], whole[3], *LINES[4:]]))
    yield Case("all on one line", HEAD + b"".join(whole))
    yield Case("all on one line with the header", HEAD[:-1] + b"".join(whole))
    yield Case("all on one line with commas", HEAD + b",".join(whole))
    yield Case("all in an array", HEAD + b"[" + b",".join(whole) + b"]")
    yield Case("all on one line, torn", HEAD + b"".join(whole)[:-9], tuple(ENTRIES[:-1]))
    yield Case("header glued to a torn line", b'{"type":"ses' + HEAD + b"".join(LINES))
    yield Case("the same line glued twice", HEAD + b"".join(LINES[:5]) + whole[4] + b"".join(LINES[5:]))


def _noise() -> Iterator[Case]:
    runs = {f"{size} NUL {name}": b"\x00" * size + end for size in (1, 700, 4096, 70_000) for name, end in ENDS.items()}
    utf8 = {f"bytes {noise!r} {name}": noise + end for noise in NO_UTF8 for name, end in ENDS.items()}
    signs = {
        f"sign {noise!r} {name}": noise.encode() + end
        for noise in ("\ufeff", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\r", "\r\n\r", "\x1a", "\x1b[2J")
        for name, end in ENDS.items()
    }
    for name, noise in {**runs, **utf8, **signs}.items():
        yield Case(name, _between(noise))
        yield Case(f"{name}, at the end", _between(noise, len(LINES)))
    yield Case("CRLF everywhere", _between(b"").replace(b"\n", b"\r\n"))
    yield Case("a byte order mark first", b"\xef\xbb\xbf" + _between(b""))
    yield Case("blank lines everywhere", _between(b"").replace(b"\n", b"\n\n \n"))


ENDS = {"on a line": b"\n", "before an entry": b""}


def _odd_values() -> Iterator[Case]:
    values = {
        "NaN": b"NaN",
        "Infinity": b"Infinity",
        "-Infinity": b"-Infinity",
        "1e999": b"1e999",
        "5,000 digits": b"9" * 5000,
        "a lone surrogate": b'"\\ud83d"',
        "two wrong surrogates": b'"\\udc00\\ud800"',
        "depth 100": b"[" * 100 + b"]" * 100,
        "depth 1,000": b"[" * 1_000 + b"]" * 1_000,
        "depth 100,000": b"[" * 100_000 + b"]" * 100_000,
        "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "never closed": b"[" * 100_000,
        "a bare word": b"undefined",
        "single quotes": b"'x'",
        "a comma too many": b"[1,]",
        "a comment": b"1 /* one */",
        "1 MB of text": b'"' + b"x" * 1_000_000 + b'"',
    }
    for name, value in values.items():
        line = b'{"type":"hologram","id":"dddddddd","parentId":null,"timestamp":"","value":' + value + b"}\n"
        yield Case(f"a value that is {name}", _between(line))
        yield Case(f"a line that is {name}", _between(value + b"\n"))
        said_so = LINES[0].replace(b'"prompt 0"', value)
        yield Case(f"a prompt that is {name}", HEAD + b"".join([said_so, *LINES[1:]]), tuple(ENTRIES[1:]))
    for name in NO_ENTRIES:
        yield Case(f"a line that is {name}", _between(name.encode() + b"\n"))
    yield Case("a key twice", _between(b'{"type":"hologram","id":"dddddddd","id":"eeeeeeee","parentId":null}\n'))


def _odd_trees() -> Iterator[Case]:
    ghost = "99999999"
    trees: dict[str, list[Entry]] = {
        "an orphan": [said("d1", ghost)],
        "an orphan with children": [said("d1", ghost), answered("d2", "d1")],
        "a chain of orphans": [said(f"d{n}", f"{ghost}{n}") for n in range(9)],
        "its own parent": [said("d1", "d1"), answered("d2", "d1")],
        "a circle of two": [said("d1", "d2"), answered("d2", "d1")],
        "a circle of three": [said("d1", "d3"), answered("d2", "d1"), said("d3", "d2")],
        "two roots": [said("d1", None), answered("d2", "d1")],
        "twenty roots": [said(f"d{n:02}", None) for n in range(20)],
        "an empty id": [said("", None), answered("d2", "")],
        "a long id": [said("d" * 10_000, LAST)],
        "an id of other signs": [said("../../etc\x00\u202e", LAST)],
        "parent is a label": [said("d1", "c0000002")],
        "parent is a queued text": [said("d1", "c0000005")],
        "leaf to nowhere": [LeafEntry(id="d1", target_id=ghost)],
        "leaf to itself": [LeafEntry(id="d1", target_id="d1")],
        "leaf to a label": [LeafEntry(id="d1", target_id="c0000002")],
        "leaf before everything": [LeafEntry(id="d1", target_id=None)],
        "many leaves": [LeafEntry(id=f"d{n}", target_id=[TALK[n].id, ghost][n % 2]) for n in range(9)],
        "a compaction to nowhere": [CompactionEntry(id="d1", parent_id=LAST, summary="s", first_kept_entry_id=ghost)],
        "a compaction to itself": [CompactionEntry(id="d1", parent_id=LAST, summary="s", first_kept_entry_id="d1")],
        "a compaction that supersedes nothing": [
            CompactionEntry(id="d1", parent_id=LAST, summary="s", first_kept_entry_id=LAST, supersedes=ghost)
        ],
        "compactions that supersede each other": [
            CompactionEntry(id="d1", parent_id=LAST, summary="s", first_kept_entry_id=LAST, supersedes="d2"),
            CompactionEntry(id="d2", parent_id="d1", summary="s", first_kept_entry_id=LAST, supersedes="d1"),
        ],
        "a revert of nothing": [CompactionRevertEntry(id="d1", parent_id=LAST, target_id=ghost)],
        "a revert of itself": [CompactionRevertEntry(id="d1", parent_id=LAST, target_id="d1")],
        "a pin on nothing": [PinEntry(id="d1", parent_id=LAST, target_id=ghost)],
        "a label on nothing": [LabelEntry(id="d1", parent_id=LAST, target_id=ghost, label="?")],
        "a prune of nothing": [PruneEntry(id="d1", parent_id=LAST, items=(PruneItem(target_id=ghost, digest="d"),))],
        "unqueued nothing": [UnqueuedEntry(id="d1", parent_id=LAST, target_id=ghost)],
        "unqueued itself": [UnqueuedEntry(id="d1", parent_id=LAST, target_id="d1")],
    }
    for name, entries in trees.items():
        yield Case(name, HEAD + b"".join([*LINES, *map(line_of, entries)]), (*ENTRIES, *entries))
    pieces = {
        "pieces without a prompt": [piece("p1", ghost, "m", "Hel"), piece("p2", ghost, "m", "lo")],
        "pieces of two answers": [piece("p1", LAST, "m", "Hel"), piece("p2", LAST, "n", "lo")],
        "pieces of an answer that is there": [piece("p1", TALK[-2].id, LAST, "again")],
        "a piece of itself": [piece("m", LAST, "m", "Hel")],
        "a piece that hangs on its answer": [piece("p1", "m", "m", "Hel")],
        "an empty piece": [piece("p1", LAST, "m", "")],
    }
    for name, parts in pieces.items():
        yield Case(name, HEAD + b"".join([*LINES, *map(line_of, parts)]))


def _odd_files() -> Iterator[Case]:
    headers: dict[str, JsonObject] = {
        "a header of numbers": {"type": "session", "version": 2, "id": 7, "timestamp": 7, "cwd": 7},
        "a header of lists": {"type": "session", "version": 2, "id": [], "timestamp": {}, "cwd": None},
        "a header of nothing": {"type": "session"},
    }
    for name, header in headers.items():
        yield Case(name, line_of(header) + b"".join(LINES))
    yield Case("no header", b"".join(LINES))
    yield Case("the header last", b"".join(LINES) + HEAD)
    yield Case("the header a hundred times", HEAD * 100 + b"".join(LINES))
    yield Case("an empty file", b"", ())
    yield Case("a header only", HEAD, ())
    yield Case("half a header", HEAD[:40], ())
    yield Case("a newline", b"\n", ())
    yield Case("a hundred thousand newlines", b"\n" * 100_000, ())
    yield Case("ten thousand braces", b"{\n" * 10_000, ())
    yield Case("no newline at the end", (HEAD + b"".join(LINES))[:-1])
    yield Case("another program's file", b"#!/bin/sh\necho hello\n", ())
    yield Case("a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, ())
    yield Case("written twice", (HEAD + b"".join(LINES)) * 2)
    yield Case("written backwards", HEAD + b"".join(LINES[::-1]))
    yield Case("every line twice", HEAD + b"".join(line * 2 for line in LINES))
