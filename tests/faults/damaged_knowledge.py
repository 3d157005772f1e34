"""Knowledge files as crashes, merges, editors and malice leave them; what is intact in each, and how much is not."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeLine, encode_knowledge
from diligent_tui.storage.jsonl import encode_line
from tests.knowledge.facts import change, fact

ENTRIES = [
    fact("a0000001", "Tests run with make test."),
    fact("a0000002", "Dates are in UTC.", kind="decision", days=-400),
    fact("a0000003", "Be brief.", kind="preference", pinned=True),
    fact("a0000004", "测试使用 make 运行。\nIn two lines.", kind="correction"),
    fact("a0000005", "Slow on Fridays.", kind="discovery", confidence=0.1),
]
CHANGES = [change("pin", "a0000001", change_id="c1"), change("retract", "a0000005", days=1, change_id="c2")]
LINES = [encode_line(encode_knowledge(line)) for line in (*ENTRIES, *CHANGES)]
ALL_IDS = frozenset(entry.id for entry in ENTRIES)
NOISE: dict[str, bytes] = {
    "one NUL": b"\0",
    "NULs": b"\0" * 4096,
    "no UTF-8": b"\xff\xfe\xfd",
    "half a sign": b"\xe2\x80",
    "a surrogate": b"\xed\xa0\x80",
    "a number": b"7",
    "a text": b'"words"',
    "null": b"null",
    "a list": b"[1, 2]",
    "an empty object": b"{}",
    "half an object": b'{"id":"x","type":"patt',
    "a merge mark": b"<<<<<<< HEAD",
    "a middle mark": b"=======",
    "an end mark": b">>>>>>> branch",
    "prose": b"remember to buy milk",
    "markdown": b"- [a] pattern: forged",
    "an escape": b"\x1b[2J\x1b]0;title\x07",
    "NaN": b'{"id":"x","type":"pattern","content":"x","confidence":NaN}',
    "too large a number": b'{"id":"x","type":"pattern","content":"x","confidence":1e999}',
    "depth": b"[" * 50_000,
    "deep objects": b'{"a":' * 20_000,
    "an unknown type": b'{"id":"x","type":"rumour","content":"x"}',
    "no words": b'{"id":"x","type":"pattern","content":" "}',
    "no id": b'{"type":"pattern","content":"x"}',
    "words as a number": b'{"id":"x","type":"pattern","content":7}',
    "an unknown op": b'{"op":"melt","id":"x","targetId":"a0000001"}',
    "an op without a target": b'{"op":"pin","id":"x"}',
    "a session's line": b'{"type":"message","id":"x","parentId":null,"message":{"role":"user","content":"x"}}',
    "a long line": b"x" * 200_000,
    "two objects": b'{"id":"x"} {"id":"y"}',
    "a comma": LINES[0][:-1] + b",",
    "an object as an id": b'{"id":{},"type":"pattern","content":"x"}',
    "a type as a list": b'{"id":"x","type":["pattern"],"content":"x"}',
    "a comment": b"// knowledge",
    "an open text": b'{"id":"x","content":"never closed',
    "single quotes": b"{'id': 'x', 'type': 'pattern', 'content': 'x'}",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A file and its story: the ids that must be found, and how many lines mean nothing; None where that may vary."""

    name: str
    data: bytes
    intact: frozenset[str] = ALL_IDS
    damaged: int | None = 0


def cases() -> Iterator[Case]:
    """Every case."""
    yield from _torn()
    yield from _noise()
    yield from _odd_fields()
    yield from _odd_files()


def _torn() -> Iterator[Case]:
    """The tail torn at ten places, within each of the seven lines."""
    for number, line in enumerate(LINES):
        kept = frozenset(entry.id for entry in ENTRIES[:number])
        for tenth in range(10):
            torn = line[: 1 + (len(line) - 3) * tenth // 9]
            yield Case(f"line {number} torn after {len(torn)}", b"".join(LINES[:number]) + torn, kept, 1)


def _noise() -> Iterator[Case]:
    for name, noise in NOISE.items():
        for place, where in ((0, "first"), (3, "in the middle"), (len(LINES), "last")):
            data = b"".join(LINES[:place]) + noise + b"\n" + b"".join(LINES[place:])
            yield Case(f"{name}, {where}", data, damaged=1)
        glued = b"".join(LINES[:3]) + noise + b"".join(LINES[3:])
        yield Case(f"{name}, before an entry", glued, ALL_IDS - {ENTRIES[3].id}, damaged=1)


def _odd_fields() -> Iterator[Case]:
    """One more line, which is read with what can be used of it."""
    whole: JsonObject = {"id": "b0000001", "timestamp": 1_735_689_600, "type": "pattern", "content": "More."}
    slips: list[JsonObject] = [
        {"confidence": 7},
        {"confidence": "high"},
        {"confidence": -(10**300)},
        {"tags": "x"},
        {"tags": [1, None, "t"]},
        {"pinned": "no"},
        {"scope": "galaxy"},
        {"timestamp": None},
        {"timestamp": "yesterday"},
        {"timestamp": 10**18},
        {"timestamp": -(10**18)},
        {"supersedes": "nobody"},
        {"supersedes": "b0000001"},
        {"sessionId": {}},
        {"unknown": [[[]]]},
        {"content": "\x1b[31m\u202e half \ud83d"},
        {"author": 7},
    ]
    for slip in slips:
        line = json.dumps({**whole, **slip}).encode() + b"\n"
        yield Case(f"a slip: {slip}", b"".join(LINES) + line, ALL_IDS | {"b0000001"})


def _odd_files() -> Iterator[Case]:
    whole = b"".join(LINES)
    yield Case("nothing", b"", frozenset())
    yield Case("one newline", b"\n", frozenset())
    yield Case("blanks", b" \n\t\n \r\n" * 50, frozenset())
    yield Case("CRLF everywhere", whole.replace(b"\n", b"\r\n"))
    yield Case("blank lines between", whole.replace(b"\n", b"\n\n \n"))
    yield Case("no last newline", whole[:-1])
    yield Case("a byte order mark", b"\xef\xbb\xbf" + whole)
    yield Case("every line twice", whole + whole)
    yield Case("from the end", b"".join(reversed(LINES)))
    yield Case("all on one line", whole.replace(b"\n", b""), frozenset(), 1)
    yield Case("in an array", b"[" + whole.replace(b"\n", b",") + b"]", frozenset(), 1)
    yield Case("after a merge", b"<<<<<<< HEAD\n" + whole + b"=======\n" + whole + b">>>>>>> b\n", damaged=3)
    ring: list[KnowledgeLine] = [fact("r1", supersedes="r3"), fact("r2", supersedes="r1"), fact("r3", supersedes="r2")]
    yield Case(
        "a ring", whole + b"".join(encode_line(encode_knowledge(line)) for line in ring), ALL_IDS | {"r1", "r2", "r3"}
    )
    lone = b"".join(
        encode_line(encode_knowledge(change("pin", f"x{number}", change_id=f"y{number}"))) for number in range(9)
    )
    yield Case("changes to nothing", lone + whole)
    yield Case("a pile of noise", (b"noise\n" * 1_000) + whole, damaged=1_000)
    yield Case("binary", bytes(range(256)) * 40 + b"\n" + whole, damaged=None)
