"""Whether what left the context can be had back: by the id in a placeholder, and by a search with a gap in the query.

The query is what stands around an item's later use, 300 characters before and 200 after it, the item taken out. The
session is searched as it was at the checkpoint, through the product's index and, to compare, through plain FTS5 over
pieces of 800 characters.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.survival.ours import Ours
from bench.survival.probes import Checkpoint, Probe
from bench.survival.ruler import CHARS_PER_TOKEN, words_of
from bench.survival.survival import Held
from bench.survival.transcripts import Transcript
from diligent_tui.domain.requests import RequestMessage, ToolResult
from diligent_tui.session.recall import RecallIndex, listing
from diligent_tui.tools.base import Call, Workplace
from diligent_tui.tools.runner import run_call
from diligent_tui.tools.toolbox import recall_tool

BEFORE_CHARS, AFTER_CHARS = 300, 200
CHUNK_CHARS = 800
MOST_HITS = 5
MOST_QUERY_WORDS = 60
PAGE_BYTES = 32_768

_WORD = re.compile(r"\w+")
_RECALL_ID = re.compile(r'recall\("([^"]+)"\)')
_GO_ON = re.compile(r"go on with offset (\d+)")


@dataclass(slots=True)
class Searched:
    """How a way to search did."""

    asked: int = 0
    first: int = 0
    among_five: int = 0
    tokens: int = 0

    def add(self, other: "Searched") -> None:
        """Take in another session."""
        self.asked += other.asked
        self.first += other.first
        self.among_five += other.among_five
        self.tokens += other.tokens

    def count(self, found: Sequence[str], probe: Probe, chars: int) -> None:
        """Count one query by what came back."""
        hits = [Held(text).has(probe) for text in found]
        self.asked += 1
        self.first += any(hits[:1])
        self.among_five += any(hits)
        self.tokens += chars // CHARS_PER_TOKEN


@dataclass(slots=True)
class Recalled:
    """Recall of one session, or of several added up."""

    product: Searched = field(default_factory=Searched)
    plain: Searched = field(default_factory=Searched)
    ids: int = 0
    identical: int = 0

    def add(self, other: "Recalled") -> None:
        """Take in another session."""
        self.product.add(other.product)
        self.plain.add(other.plain)
        self.ids += other.ids
        self.identical += other.identical


class PlainIndex:
    """FTS5 over pieces of equal length, as it comes."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._table = sqlite3.connect(":memory:")
        self._table.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize=\"unicode61 tokenchars '_'\")")
        self._turns = 0

    def take(self, turns: Sequence[RequestMessage]) -> None:
        """Take in what is new of a growing session."""
        for turn in turns[self._turns :]:
            text = words_of(turn)
            pieces = [text[start : start + CHUNK_CHARS] for start in range(0, len(text), CHUNK_CHARS)]
            self._table.executemany("INSERT INTO said VALUES (?)", [(piece,) for piece in pieces])
        self._turns = len(turns)

    def search(self, query: str) -> list[str]:
        """The best five pieces."""
        words = list(dict.fromkeys(_WORD.findall(query)))[:MOST_QUERY_WORDS]
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._table.execute("SELECT text FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?", (asked, MOST_HITS))
        return [str(text) for (text,) in rows]

    def close(self) -> None:
        """Forget everything."""
        self._table.close()


class RecallWatch:
    """Asks at each checkpoint of a replay of the product's own session."""

    def __init__(self, ours: Ours, transcript: Transcript) -> None:
        """Search what that session holds."""
        self.recalled = Recalled()
        self._ours = ours
        self._transcript = transcript
        session = ours.session
        self._index = RecallIndex(None, session.id, session.store.tree.nodes, session.store.entry)
        self._plain = PlainIndex()

    async def at_checkpoint(self, checkpoint: Checkpoint, messages: Sequence[RequestMessage]) -> None:
        """Ask for everything that is needed, and for every id that is shown."""
        self._plain.take(self._transcript.turns[: 2 * checkpoint.exchange + 1])
        session = self._ours.session
        path = [node.id for node in session.conversation.path]
        in_sight = [entry_id for entry_id, fate in session.memory.fates().items() if fate == "verbatim"]
        tokens_of = session.memory.requesting.standing.tokens_of()
        for probe in checkpoint.probes:
            if probe.use_turn is None or not (query := cloze(words_of(self._transcript.turns[probe.use_turn]), probe)):
                continue
            hits = await self._index.search(query, tokens_of=tokens_of, path=path, in_sight=in_sight)
            found = [f"{hit.about}\n{hit.snippet}\n{' '.join(hit.names)}" for hit in hits]
            self.recalled.product.count(found, probe, len(listing(hits)))
            pieces = self._plain.search(query)
            self.recalled.plain.count(pieces, probe, sum(map(len, pieces)))
        await self._ask_by_id(messages)

    async def close(self) -> None:
        """Let go of both indexes."""
        self._plain.close()
        await self._index.close()

    async def _ask_by_id(self, messages: Sequence[RequestMessage]) -> None:
        originals = {
            self._ours.results[part.call_id]: part.output
            for turn in self._transcript.turns
            for part in turn.parts
            if isinstance(part, ToolResult) and part.call_id in self._ours.results
        }
        for entry_id in dict.fromkeys(_ids_in(messages)):
            self.recalled.ids += 1
            self.recalled.identical += await self._whole(entry_id) == originals.get(entry_id)

    async def _whole(self, entry_id: str) -> str:
        """An entry through the tool that the model has, page by page."""
        session = self._ours.session
        known = session.store.tree.nodes
        tool = recall_tool(lambda wanted: session.store.entry(wanted) if wanted in known else None)
        folder = Path(session.store.path).parent
        call = Call(Workplace(folder, folder, PAGE_BYTES, folder), "bench", lambda _: None)
        pages: list[str] = []
        offset = 1
        while True:
            outcome = await run_call(tool, {"id": entry_id, "offset": offset}, call)
            head, _, page = outcome.output.partition("\n")
            pages.append(page)
            more = _GO_ON.search(head)
            if outcome.is_error or more is None:
                return "".join(pages)
            offset = int(more[1])


def cloze(words: str, probe: Probe) -> str:
    """What stands around an item, without the item; empty if the item is not there."""
    place = words.find(probe.text)
    if place < 0:
        return ""
    around = f"{words[max(0, place - BEFORE_CHARS) : place]} {words[place + len(probe.text) :][:AFTER_CHARS]}"
    return around.replace(probe.text, " ")


def _ids_in(messages: Sequence[RequestMessage]) -> Iterator[str]:
    """The ids that outputs name as their own: those that code put there, and not those somebody speaks of."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolResult):
                yield from _RECALL_ID.findall(part.output)
