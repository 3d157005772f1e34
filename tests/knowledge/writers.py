"""A process that writes knowledge as it is ordered, line by line, and says what was acknowledged.

`add` and `supersede` are done here; `busy` is done by a child, forked with everything imported, until it is killed.
"""

import json
import os
import random
import sys
import traceback
from pathlib import Path
from typing import TypedDict

from diligent_tui.domain.errors import KnowledgeConflict
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.store import KnowledgeStore

OUTPUT = 1
LENGTHS_CHARS = (10, 300, 9_000)


class Order(TypedDict, total=False):
    """What to do, to which file."""

    do: str
    path: str
    name: str
    count: int
    target: str
    seed: int


def say(value: JsonObject) -> None:
    """One line in one write, which a pipe takes whole or not at all."""
    os.write(OUTPUT, json.dumps(value).encode() + b"\n")


def words(content: str) -> KnowledgeEntry:
    """A draft of a fact."""
    return KnowledgeEntry(type="discovery", content=content)


def add(store: KnowledgeStore, order: Order) -> None:
    """Save many facts, one after the other."""
    name = order.get("name", "")
    say({"added": [store.add(words(f"{name} {number}")).id for number in range(order.get("count", 0))]})


def supersede(store: KnowledgeStore, order: Order) -> None:
    """Try to take a fact's place."""
    try:
        say({"won": store.supersede(order.get("target", ""), words(order.get("name", ""))).id})
    except KnowledgeConflict as conflict:
        say({"lost_to": conflict.newer.id})


def be_busy(store: KnowledgeStore, order: Order) -> None:
    """Do everything a store can until killed; never comes back."""
    try:
        say({"pid": os.getpid()})
        dice = random.Random(order.get("seed"))
        last = store.add(words("first"))
        say({"entry": last.id, "content": last.content})
        while True:
            match dice.randrange(4):
                case 0:
                    last = store.supersede(last.id, words(f"{dice.random()} " + "x" * dice.choice(LENGTHS_CHARS)))
                    say({"entry": last.id, "content": last.content, "supersedes": last.supersedes})
                case 1:
                    is_pinned = store.pin(last.id) or not store.unpin(last.id)
                    say({"target": last.id, "pinned": is_pinned})
                case _:
                    last = store.add(words(f"{dice.random()} " + "y" * dice.choice(LENGTHS_CHARS)))
                    say({"entry": last.id, "content": last.content})
    finally:
        traceback.print_exc()
        os._exit(1)


def main() -> None:
    """Serve until the input ends."""
    child = 0
    while line := sys.stdin.readline():
        order: Order = json.loads(line)
        store = KnowledgeStore(Path(order.get("path", "")))
        match order.get("do"):
            case "add":
                add(store, order)
            case "supersede":
                supersede(store, order)
            case "busy":
                child = os.fork()
                if child == 0:
                    be_busy(store, order)
            case _:
                _, status = os.waitpid(child, 0)
                say({"ended": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    main()
