"""Writes a session in the form asked for."""

from collections.abc import Iterator
from typing import assert_never

from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.session.export.formats import ExportFormat
from diligent_tui.session.export.html_page import to_html
from diligent_tui.session.export.jsonl import to_jsonl
from diligent_tui.session.export.markdown import to_markdown
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.store import SessionStore


def export_session(
    store: SessionStore, form: ExportFormat, mask: Mask, entry_id: str | None = None, tell: Tell = tell_nobody
) -> Iterator[bytes]:
    """The session piece by piece.

    Markdown has the path to an entry, by default to the leaf. JSON lines are the whole file, or with an entry its path.
    The HTML page always has the whole tree and opens on the path to an entry, by default to the leaf.
    How many entries are written is told as the pieces are taken.
    """
    match form:
        case "md":
            return to_markdown(store, mask, entry_id, tell)
        case "html":
            return to_html(store, mask, entry_id, tell)
        case "jsonl":
            return to_jsonl(store, mask, entry_id, tell)
        case _:
            assert_never(form)
