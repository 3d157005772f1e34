"""`diligent knowledge`: see and curate what is kept across sessions, without a screen and without a model."""

import json
import sys

from diligent_tui.cli.exit_codes import DONE, FAILED
from diligent_tui.cli.headless import Complain, enter_house
from diligent_tui.cli.knowledge_arguments import KnowledgeArguments, parse_knowledge
from diligent_tui.cli.knowledge_room import Room, open_room
from diligent_tui.cli.knowledge_words import print_entries, print_entry, print_stats
from diligent_tui.cli.paging import show_paged
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import DEFAULT_CONFIDENCE, KnowledgeEntry, KnowledgeScope, encode_knowledge
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.knowledge.duplicates import nearest
from diligent_tui.knowledge.searching import search
from diligent_tui.knowledge.views import KnownEntry

CONTENT_CHARS = 100


def run_knowledge(words: list[str], complain: Complain) -> int:
    """Understand the words behind `knowledge` and do what they say; returns the exit code."""
    arguments = parse_knowledge(words)
    house = enter_house(arguments.cwd, {}, trust=arguments.trust, complain=complain)
    room = open_room(house, complain)
    codes: list[int] = []
    show_paged(lambda: codes.append(act(arguments, room)))
    return codes[0] if codes else DONE


def act(arguments: KnowledgeArguments, room: Room) -> int:
    """Do what the words say; returns the exit code."""
    match arguments.verb:
        case "list":
            print_entries(_listed(arguments, room), room.overview(), as_json=arguments.json)
        case "search":
            print_entries(_found(arguments, room), room.overview(), as_json=arguments.json)
        case "show":
            known = room.find(arguments.id)
            print_entry(known, room.files.shelf.history(known.entry.id), as_json=arguments.json)
        case "stats":
            waiting = len(room.files.inbox.state.waiting) if room.files.inbox else 0
            print_stats(room.overview(), waiting, as_json=arguments.json)
        case "add":
            return _add(arguments, room)
        case "supersede":
            _supersede(arguments, room)
        case "retract" | "restore" | "pin" | "unpin":
            _change(arguments, room)
        case "export" | "import" | "prune":
            from diligent_tui.cli.knowledge_transfer import run_transfer

            run_transfer(arguments, room)
    return DONE


def _listed(arguments: KnowledgeArguments, room: Room) -> list[KnownEntry]:
    overview = room.overview()
    entries = overview.entries if arguments.all else overview.live
    if arguments.words:
        wanted = arguments.text.casefold()
        entries = tuple(known for known in entries if wanted in known.entry.content.casefold())
    return [known for known in entries if _fits(known.entry, arguments)]


def _found(arguments: KnowledgeArguments, room: Room) -> list[KnownEntry]:
    live = {(known.entry.scope, known.entry.id): known for known in room.overview().live}
    wanted = [known.entry for known in live.values() if _fits(known.entry, arguments)]
    return [live[match.entry.scope, match.entry.id] for match in search(arguments.text, wanted)]


def _fits(entry: KnowledgeEntry, arguments: KnowledgeArguments) -> bool:
    return (
        arguments.type in (None, entry.type)
        and arguments.scope in (None, entry.scope)
        and all(tag in entry.tags for tag in arguments.tag)
    )


def _add(arguments: KnowledgeArguments, room: Room) -> int:
    shelf = room.files.shelf
    near = nearest(arguments.text, (entry for state in shelf.states for entry in state.live))
    if near and not arguments.force:
        room.complain("Not saved: there is something like it. Supersede it, or add --force if it is another matter.")
        for each in near:
            sys.stdout.write(f"{each.entry.id}  {clean_line(each.entry.content, CONTENT_CHARS)}\n")
        return FAILED
    assert arguments.type is not None
    scope: KnowledgeScope = "user" if arguments.user else "project"
    draft = KnowledgeEntry(
        type=arguments.type,
        content=arguments.text,
        confidence=_confidence(arguments.confidence, DEFAULT_CONFIDENCE),
        tags=tuple(arguments.tag),
        pinned=arguments.pinned,
        scope=scope,
        author="user",
    )
    _say_saved(shelf.add(draft), arguments, room)
    return DONE


def _supersede(arguments: KnowledgeArguments, room: Room) -> None:
    known = room.find(arguments.id)
    old = known.entry
    new = KnowledgeEntry(
        type=arguments.type or old.type,
        content=arguments.text,
        confidence=_confidence(arguments.confidence, old.confidence),
        tags=tuple(arguments.tag) or old.tags,
        pinned=known.pinned,
        author="user",
    )
    _say_saved(room.files.shelf.supersede(old.id, new), arguments, room)


def _change(arguments: KnowledgeArguments, room: Room) -> None:
    entry = room.find(arguments.id).entry
    shelf = room.files.shelf
    verbs = {"retract": shelf.retract, "restore": shelf.restore, "pin": shelf.pin, "unpin": shelf.unpin}
    done = verbs[arguments.verb](entry.id)
    said = {"retract": "Retracted", "restore": "Restored", "pin": "Pinned", "unpin": "Unpinned"}[arguments.verb]
    if arguments.json:
        _print_object({"id": entry.id, "op": arguments.verb, "changed": done})
    else:
        room.complain(f"{said}: {entry.content}" if done else f"Nothing to do, it is so already: {entry.content}")


def _say_saved(saved: KnowledgeEntry, arguments: KnowledgeArguments, room: Room) -> None:
    if arguments.json:
        _print_object(encode_knowledge(saved))
    else:
        sys.stdout.write(f"{saved.id}\n")
        room.complain(f"Saved{' in place of ' + saved.supersedes if saved.supersedes else ''}.")


def _confidence(given: float | None, usual: float) -> float:
    if given is None:
        return usual
    if not 0 <= given <= 1:
        raise UsageError("The confidence goes from 0 to 1.", "Try: --confidence 0.8")
    return given


def _print_object(value: JsonObject) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
