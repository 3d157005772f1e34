"""`diligent sessions`: list, show, fork and export, without a screen and without a model."""

import asyncio
import codecs
import json
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from diligent_tui.cli.headless import Complain, enter_house, until_the_reader_leaves
from diligent_tui.cli.paging import show_paged
from diligent_tui.cli.progress_line import telling
from diligent_tui.cli.sessions_arguments import SessionsArguments, parse_sessions
from diligent_tui.config.house import House
from diligent_tui.config.session_files import find_session, mask
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.plain_text import StreamCleaner, clean_line
from diligent_tui.domain.times import now
from diligent_tui.session.export.exporting import export_session
from diligent_tui.session.export.formats import FORMAT_OF_SUFFIX, ExportFormat
from diligent_tui.session.export.saving import save_export
from diligent_tui.session.fork import fork_session
from diligent_tui.session.shelf import Shelf
from diligent_tui.session.store import SessionStore, folder_of

STANDARD_OUTPUT = "-"


def run_sessions(words: list[str], complain: Complain) -> int:
    """Understand the words behind `sessions` and do what they say; returns the exit code."""
    arguments = parse_sessions(words)
    house = enter_house(arguments.cwd, {}, trust=arguments.trust, complain=complain)
    # An export may be large, and goes to its file or reader piece by piece.
    show = until_the_reader_leaves if arguments.verb == "export" else show_paged
    return show(lambda: _act(arguments, house, complain))


def fork_wanted(house: House, wanted: str, at: str | None = None) -> str:
    """Fork the session that is wanted; returns the id of the fork."""
    from diligent_tui.agent.file_history import bring_history

    with _reading(find_session(house, wanted)) as store:
        entry_id = None if at is None else find_entry(store, at)
        path = fork_session(store, house.places.sessions, now(), entry_id, str(house.places.cwd))
        bring_history(store.spill_folder / "before", folder_of(path) / "before")
        return path.stem


def find_entry(store: SessionStore, wanted: str) -> str:
    """The entry of that id, that label, or the one whose id begins so; raises UsageError."""
    if wanted in store.tree.nodes:
        return wanted
    labelled = [target for target, label in store.content.labels.items() if label == wanted]
    found = labelled or [entry_id for entry_id in store.tree.nodes if wanted and entry_id.startswith(wanted)]
    if len(found) == 1 and found[0] in store.tree.nodes:
        return found[0]
    advice = "`diligent sessions show` lists the entries of a session."
    if found:
        raise UsageError(f"{len(found)} entries of this session are called {wanted}.", advice)
    raise UsageError(f"This session has no entry {wanted}.", advice)


def _act(arguments: SessionsArguments, house: House, complain: Complain) -> None:
    match arguments.verb:
        case "list":
            from diligent_tui.cli.list_sessions import print_sessions

            print_sessions(house, arguments.wanted, as_json=arguments.json)
        case "show":
            from diligent_tui.cli.show_session import print_session

            with _reading(find_session(house, arguments.wanted)) as store:
                more = len(Shelf(house.places.sessions).find(arguments.wanted)) - 1 if arguments.wanted else 0
                print_session(store, mask(house), max(0, more), as_json=arguments.json)
        case "fork":
            fork_id = fork_wanted(house, arguments.wanted, arguments.at)
            if arguments.json:
                sys.stdout.write(json.dumps({"id": fork_id}) + "\n")
                return
            sys.stdout.write(f"{fork_id}\n")
            complain(f"Forked. Go on in it: diligent -r {fork_id}")
        case "export":
            _export(arguments, house, complain)


def _export(arguments: SessionsArguments, house: House, complain: Complain) -> None:
    with _reading(find_session(house, arguments.wanted)) as store:
        entry_id = None if arguments.branch is None else find_entry(store, arguments.branch)
        form = arguments.format or _format_of(arguments.output)
        if arguments.output == STANDARD_OUTPUT:
            _print(export_session(store, form, mask(house), entry_id))
            return
        path = Path(arguments.output or f"{store.path.stem}.{form}")
        with telling("exporting") as tell:
            pieces = export_session(store, form, mask(house), entry_id, tell)
            size_bytes = save_export(path, pieces, replaces=arguments.force)
        if arguments.json:
            sys.stdout.write(json.dumps({"id": store.path.stem, "file": str(path), "bytes": size_bytes}) + "\n")
        else:
            complain(f"Exported to {clean_line(str(path))}, {size_bytes:,} bytes.")


def _format_of(output: str | None) -> ExportFormat:
    return FORMAT_OF_SUFFIX.get(Path(output or "").suffix.lower(), "md")


def _print(pieces: Iterable[bytes]) -> None:
    """To a file or pipe as it is; to a terminal as text that it has nothing to obey in."""
    if not sys.stdout.isatty():
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    cleaner = StreamCleaner()
    for piece in pieces:
        sys.stdout.write(cleaner.feed(decoder.decode(piece)))
    sys.stdout.write(cleaner.finish())


@contextmanager
def _reading(path: Path) -> Generator[SessionStore]:
    """A session, open for reading only: it may be open elsewhere."""
    store = SessionStore.open(path, for_writing=False)
    try:
        yield store
    finally:
        asyncio.run(store.close())
