"""What an empty chat says: five lines that teach."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now

OFFLINE = "offline/"
README = "README.md"
WITH_README = f"read {README} then run echo hi"
ANYWHERE = "list . then run echo hi"
"""What the offline model understands: long enough to be summed up where there is a file to read."""
GAP = "   "
NO_LIMIT = 10_000


class Welcome(Widget):
    """Shown until the first prompt."""

    model_id: reactive[str] = reactive("", layout=True)
    because: reactive[str] = reactive("")
    """Why this model answers, as the end of a sentence."""
    first_words: reactive[str] = reactive(ANYWHERE)
    notices: reactive[tuple[str, ...]] = reactive((), layout=True)

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Teach the keys of now; `keymap` has the user's own."""
        super().__init__()
        self._keymap = keymap

    def render(self) -> Content:
        """What this is, which model answers and why, what to type first, and what to press then."""
        return self._said(self.content_size.width or NO_LIMIT)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as it will be at a width, which is asked before there is one."""
        return self._said(width).get_height({}, width) if width else 0

    def _said(self, width: int) -> Content:
        model = clean_line(self.model_id)
        lines = [
            Content.styled("diligent works on the code here. What it remembers, you can see and edit.", "bold"),
            _about(model, clean_line(self.because), width),
            _first(model, clean_line(self.first_words), width),
            _in_rows(
                (
                    _key("/compact", "sums it up"),
                    Content(" ").join((self._key("summary", "shows that,"), self._key("summary_undo", "undoes it"))),
                    self._key("tree", "tree"),
                    self._key("knowledge", "knowledge"),
                ),
                width,
            ),
            _in_rows(
                (
                    self._key("submit", "sends"),
                    self._key("stop", "stops"),
                    self._key("help", "help"),
                    self._key("quit", "leaves, all is saved"),
                    _key("diligent --demo", "a tour"),
                ),
                width,
            ),
        ]
        lines += [Content.styled(f"· {clean_line(notice)}", "$memory") for notice in self.notices]
        return Content("\n\n").join(lines)

    def _key(self, name: str, words: str) -> Content:
        return _key(key_now(name, self._keymap), words)


def first_words(folder: Path) -> str:
    """What to try first in a folder."""
    return WITH_README if (folder / README).is_file() else ANYWHERE


def why_this_model(model_id: str, flag: str | None, setting: str | None) -> str:
    """Why a model answers: what was said last counts, then a key that was found."""
    if flag:
        return "as --model says"
    if setting:
        return "as your settings say"
    return "for no key is in the environment" if model_id.startswith(OFFLINE) else "for its key is in the environment"


def _about(model: str, because: str, width: int) -> Content:
    if not model:
        return Content("Starting …")
    reason = f", {because}" if because else ""
    if not model.startswith(OFFLINE):
        return Content(f"{model} answers{reason}.")
    told = f"{reason}: the built-in rehearsal engine answers. No language model, no network; its tools are real."
    offline, *others = told.split(" ")
    first = Content.assemble(("Offline", "bold"), offline)
    return _in_rows((first, *map(Content, others), _key("/model", "changes that.")), width, gap=" ")


def _first(model: str, words: str, width: int) -> Content:
    said = ("Ask about the code, or for a change:", "what does this project do?")
    if model.startswith(OFFLINE) or not model:
        said = ("Type first:", words)
    return _in_rows((Content(said[0]), Content.styled(said[1], "bold $accent")), width, gap="  ")


def _key(key: str, words: str) -> Content:
    return Content.assemble((key, "$accent"), f" {words}")


def _in_rows(pieces: Sequence[Content], width: int, gap: str = GAP) -> Content:
    """As many pieces in a row as there is room for; a row ends between two, never inside one."""
    rows: list[list[Content]] = []
    used = width
    for piece in pieces:
        used += len(gap) + piece.cell_length
        if used > width:
            rows.append([])
            used = piece.cell_length
        rows[-1].append(piece)
    return Content("\n").join([Content(gap).join(row) for row in rows])
