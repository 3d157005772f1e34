"""A summary that is being edited and not saved yet: a file for each session, which one window alone holds."""

import contextlib
import re
from pathlib import Path
from typing import NamedTuple

from diligent_tui.config.drafts import FOLDER_NAME, LARGEST_DRAFT_BYTES
from diligent_tui.config.prompt_history import project_key
from diligent_tui.config.reading import read_plain
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.storage.jsonl import encode_line, parse_line
from diligent_tui.storage.private import storage_error, write_private

ENDING = ".summary.json"
SAFE_ID = re.compile(r"[\w-]{1,100}", re.ASCII)
"""Ids come from files: whatever else one is made of, no file is named by it."""


class SummaryDraft(NamedTuple):
    """The version that is being edited, and the text for its place; an empty one is nothing to keep."""

    compaction_id: str
    text: str


def load_summary_drafts(state_folder: Path, root: Path) -> dict[str, SummaryDraft]:
    """What was being edited in each session; what is damaged is passed over."""
    beginning = f"{project_key(root)}."
    drafts: dict[str, SummaryDraft] = {}
    for path in (state_folder / FOLDER_NAME).glob(f"{beginning}*{ENDING}"):
        session_id = path.name.removeprefix(beginning).removesuffix(ENDING)
        with contextlib.suppress(OSError):
            match parse_line(read_plain(path, LARGEST_DRAFT_BYTES).removesuffix(b"\n")):
                case {"compactionId": str(compaction_id), "text": str(text)}:
                    drafts[session_id] = SummaryDraft(compaction_id, mend_surrogates(text))
                case _:
                    pass
    return drafts


def save_summary_draft(state_folder: Path, root: Path, session_id: str, draft: SummaryDraft) -> None:
    """Keep a text in place of the session's last one; an empty one leaves no file. Raises StorageError if it cannot."""
    if not SAFE_ID.fullmatch(session_id):
        return
    path = state_folder / FOLDER_NAME / f"{project_key(root)}.{session_id}{ENDING}"
    if draft.text:
        data = encode_line({"type": "draft", "compactionId": draft.compaction_id, "text": mend_surrogates(draft.text)})
        if len(data) > LARGEST_DRAFT_BYTES:
            raise StorageError("The summary that is being edited is too long to be kept.", "Shorten it, or save it.")
        write_private(path, data)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(error, path, "removing") from error
