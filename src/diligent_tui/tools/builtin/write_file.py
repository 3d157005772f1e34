"""The tool `write`: make a file, or replace one as a whole."""

from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_text, required_text
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.diffs import compare
from diligent_tui.tools.file_change import FileChange
from diligent_tui.tools.near_names import twin_of
from diligent_tui.tools.paths import Located, locate
from diligent_tui.tools.placing import LARGEST_BYTES, FileState
from diligent_tui.tools.specs import write_file_spec
from diligent_tui.tools.text_body import TextBody, decode_body
from diligent_tui.tools.writing import Draft, Drafting


def _wish(arguments: JsonObject, workplace: Workplace) -> tuple[Located, Drafting]:
    known_only(arguments, ("path", "content"))
    located = locate(required_text(arguments, "path", "give the file to write"), workplace)
    content = optional_text(arguments, "content")
    if content is None:
        raise ToolError("`content` is missing: give all that the file will hold.")
    if len(content) > LARGEST_BYTES:
        raise ToolError(f"`content` is too long: at most {LARGEST_BYTES:,} bytes are written at once.")
    return located, lambda state: _draft(located, content, state)


@dataclass(frozen=True, slots=True)
class WriteFile(FileChange):
    """Replaces a file as a whole and says what became different."""

    wish = staticmethod(_wish)
    spec: ToolSpec = field(default_factory=write_file_spec)


def _draft(located: Located, content: str, state: FileState) -> Draft:
    if state.data is None:
        data = content.encode()
        said = f"Made {located.shown}: {_size(content, data)}.{_twin_note(located)}"
        return Draft(data, compare("", content), said)
    old, note = _old_body(state.data, located)
    text = content if "\r\n" in content or old.newline == "\n" else content.replace("\n", "\r\n")
    if old.mark:
        text = text.removeprefix("\ufeff")
    try:
        data = old.encoded(text)
        note += _kept_note(old)
    except UnicodeEncodeError as error:
        data = text.encode()
        letter = ascii(text[error.start])
        note += f" It is UTF-8 now: {old.codec}, in which it was, has no {letter}."
    if "\r\n" in content and old.text and old.newline == "\n":
        note += " Its lines now end with CRLF."
    diff = compare(old.text, text)
    return Draft(data, diff, f"Replaced {located.shown}: {diff.counts}, now {_size(text, data)}.{note}")


def _old_body(data: bytes, located: Located) -> tuple[TextBody, str]:
    try:
        return decode_body(data, located.shown), ""
    except ToolError:
        return TextBody(""), f" What was there was no text ({len(data):,} bytes)."


def _kept_note(old: TextBody) -> str:
    kept = [old.codec.upper()] if old.codec != "utf-8" else []
    kept += ["byte order mark"] if old.mark else []
    kept += ["CRLF"] if old.newline == "\r\n" else []
    return f" Kept: {', '.join(kept)}." if kept else ""


def _size(text: str, data: bytes) -> str:
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    return f"{lines:,} line{'' if lines == 1 else 's'}, {len(data):,} bytes"


def _twin_note(located: Located) -> str:
    twin = twin_of(located.real)
    return f" Beside it is {twin!a}, which looks the same but is another file." if twin else ""
