"""`diligent knowledge export`, `import` and `prune`: knowledge in bulk, always with a look first."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.cli.knowledge_arguments import KnowledgeArguments
from diligent_tui.cli.knowledge_room import Room
from diligent_tui.cli.progress_line import telling
from diligent_tui.domain.errors import StorageError, UsageError
from diligent_tui.domain.ids import new_entry_id
from diligent_tui.domain.knowledge import KnowledgeChange, KnowledgeScope
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.domain.progress import Tell, part_of
from diligent_tui.knowledge.exporting import (
    FORMAT_OF_SUFFIX,
    KnowledgeFormat,
    read_entries,
    write_lines,
    write_markdown,
)
from diligent_tui.knowledge.importing import plan_import
from diligent_tui.knowledge.ranking import Scored, rank
from diligent_tui.knowledge.reading import LARGEST_FILE_BYTES
from diligent_tui.session.export.saving import save_export

CONTENT_CHARS = 100


def run_transfer(arguments: KnowledgeArguments, room: Room) -> None:
    """Do what one of these verbs says."""
    match arguments.verb:
        case "export":
            _export(arguments, room)
        case "import":
            _import(arguments, room)
        case _:
            _prune(arguments, room)


def _export(arguments: KnowledgeArguments, room: Room) -> None:
    form = arguments.format or FORMAT_OF_SUFFIX.get(Path(arguments.output or "").suffix.lower(), "md")
    if arguments.all and form == "md":
        raise UsageError("Markdown holds only what is live.", "Leave --all out, or use --format jsonl.")
    with telling("exporting") as tell:
        entries, data = _written(arguments, room, form, tell)
    if arguments.output in (None, "-"):
        text = data.decode()
        sys.stdout.write(clean(text) if sys.stdout.isatty() else text)
        return
    path = Path(arguments.output or "")
    save_export(path, [data], replaces=arguments.force)
    if arguments.json:
        sys.stdout.write(json.dumps({"file": str(path), "entries": entries}) + "\n")
    else:
        room.complain(f"{_many(entries)} exported to {clean_line(str(path))}.")


def _written(arguments: KnowledgeArguments, room: Room, form: KnowledgeFormat, tell: Tell) -> tuple[int, bytes]:
    """How many entries are exported, and what is written of them."""
    overview = room.overview()
    chosen = overview.entries if arguments.all else overview.live
    chosen = tuple(known for known in chosen if arguments.scope in (None, known.entry.scope))
    entries = [known.entry.model_copy(update={"pinned": known.pinned}) for known in chosen]
    retractions = [
        KnowledgeChange(op="retract", id=new_entry_id(), target_id=known.entry.id, timestamp=known.entry.timestamp)
        for known in chosen
        if known.fate == "retracted"
    ]
    if form == "jsonl":
        return len(entries), write_lines([*entries, *retractions], tell)
    return len(entries), write_markdown(entries, tell).encode()


def _import(arguments: KnowledgeArguments, room: Room) -> None:
    path = Path(arguments.file)
    form: KnowledgeFormat | None = arguments.format or FORMAT_OF_SUFFIX.get(path.suffix.lower())
    if form is None:
        raise UsageError(f"{clean_line(path.name)} may be anything.", "Say --format md or --format jsonl.")
    scope: KnowledgeScope = "user" if arguments.user else "project"
    shelf = room.files.shelf
    with telling("importing") as tell:
        source = read_entries(_bytes_of(path), form, part_of(tell, 0, 2))
        plan = plan_import(source, shelf.states, datetime.now(UTC), part_of(tell, 1, 2))
        saved = () if arguments.dry_run else shelf.take_in(plan, scope)
    if arguments.json:
        figures = {"added": len(saved), "new": len(plan.new), "known": plan.known, "refused": len(plan.refused)}
        sys.stdout.write(json.dumps({**figures, "damaged": plan.damaged}) + "\n")
        return
    taken = plan.new if arguments.dry_run else saved
    known = plan.known + len(plan.new) - len(taken)
    sys.stdout.writelines(f"{clean_line(entry.content, CONTENT_CHARS)}\n" for entry in taken)
    for why in dict.fromkeys(plan.refused):
        room.complain(f"Refused: {why}")
    done = "would be taken in" if arguments.dry_run else "taken in"
    room.complain(
        f"{_many(len(taken))} {done}, {known} known already, {len(plan.refused)} refused, {plan.damaged} damaged."
    )


def _prune(arguments: KnowledgeArguments, room: Room) -> None:
    shelf = room.files.shelf
    now = datetime.now(UTC)
    going = [scored for scored in rank(shelf.states, room.policy, now) if _counts_for_nothing(scored, arguments)]
    if arguments.yes:
        shelf.retract_all(scored.entry.id for scored in going)
    if arguments.json:
        rows = [{"id": scored.entry.id, "score": scored.score, "content": scored.entry.content} for scored in going]
        sys.stdout.write(json.dumps({"retracted": arguments.yes, "entries": rows}) + "\n")
        return
    for scored in going:
        words = clean_line(scored.entry.content, CONTENT_CHARS)
        sys.stdout.write(f"{scored.entry.id:<8}  {scored.score:.4f}  {scored.age_days:>5.0f} d  {words}\n")
    if not going:
        room.complain("Nothing is so old or so unsure that it should go.")
    elif arguments.yes:
        room.complain(f"{_many(len(going))} retracted; `diligent knowledge restore ID` brings one back.")
    else:
        room.complain(f"{_many(len(going))} would be retracted. Nothing was changed; --yes does it.")


def _counts_for_nothing(scored: Scored, arguments: KnowledgeArguments) -> bool:
    is_old = arguments.older is None or scored.age_days > arguments.older
    return not scored.pinned and scored.score < arguments.below and is_old


def _bytes_of(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise StorageError(f"There is no file {clean_line(str(path))}.", "Name the file to take in.")
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise StorageError(f"{clean_line(path.name)} is too large to be knowledge.", "Take it in in parts.")
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"Could not read {clean_line(path.name)}: {error.strerror}.", "Look at the file.") from error


def _many(number: int) -> str:
    return f"{number:,} entry" if number == 1 else f"{number:,} entries"
