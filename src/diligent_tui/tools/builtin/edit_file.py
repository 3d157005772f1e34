"""The tool `edit`: replace pieces of a text file that are there exactly once."""

from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, object_list, optional_text, required_text
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.diffs import compare_spans
from diligent_tui.tools.file_change import FileChange
from diligent_tui.tools.near_names import missing
from diligent_tui.tools.paths import Located, locate
from diligent_tui.tools.placing import FileState
from diligent_tui.tools.replacing import Edit, find_spans, replaced
from diligent_tui.tools.specs import edit_file_spec
from diligent_tui.tools.text_body import decode_body
from diligent_tui.tools.writing import Draft, Drafting

MOST_EDITS = 200
TOLD_DIFF_BYTES = 2_000
"""The model knows what it wrote; a short diff shows where it went, a long one would only cost."""


def _wish(arguments: JsonObject, workplace: Workplace) -> tuple[Located, Drafting]:
    known_only(arguments, ("path", "edits"))
    located = locate(required_text(arguments, "path", "give the file to edit"), workplace)
    edits = [_edit(each) for each in object_list(arguments, "edits", "give each change as `old` and `new`")]
    if not 0 < len(edits) <= MOST_EDITS:
        raise ToolError(f"`edits` must have 1 to {MOST_EDITS} changes, not {len(edits):,}.")
    return located, lambda state: _draft(located, edits, state)


@dataclass(frozen=True, slots=True)
class EditFile(FileChange):
    """Makes all replacements or none."""

    wish = staticmethod(_wish)
    spec: ToolSpec = field(default_factory=edit_file_spec)


def _edit(given: JsonObject) -> Edit:
    known_only(given, ("old", "new"))
    old, new = optional_text(given, "old"), optional_text(given, "new")
    if old is None or new is None:
        raise ToolError(f"`{'old' if old is None else 'new'}` is missing: each change has `old` and `new`.")
    return Edit(old, new)


def _draft(located: Located, edits: list[Edit], state: FileState) -> Draft:
    if state.data is None:
        raise ToolError(missing(located, approved=True))
    body = decode_body(state.data, located.shown)
    spans = find_spans(body.text, edits, located.shown)
    try:
        data = body.encoded(replaced(body.text, spans))
    except UnicodeEncodeError as error:
        letter = ascii(str(error.object)[error.start])
        raise ToolError(
            f"{located.shown} is {body.codec}, which has no {letter}. Nothing was changed: use another sign, "
            "or `write` the whole file, which makes it UTF-8."
        ) from None
    diff = compare_spans(body.text, spans)
    times = "1 replacement" if len(edits) == 1 else f"{len(edits)} replacements"
    said = f"Edited {located.shown}: {times}, {diff.counts}."
    text = diff.text(located.shown, TOLD_DIFF_BYTES)
    return Draft(data, diff, f"{said}\n{text}" if text else said)
