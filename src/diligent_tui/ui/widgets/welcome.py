"""What an empty chat says: five lines that teach."""

from pathlib import Path

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line

OFFLINE = "offline/"
README = "README.md"
WITH_README = f"read {README} then run echo hi"
ANYWHERE = "list . then run echo hi"
"""What the offline model understands: long enough to be summed up where there is a file to read."""


class Welcome(Widget):
    """Shown until the first prompt."""

    model_id: reactive[str] = reactive("", layout=True)
    because: reactive[str] = reactive("")
    """Why this model answers, as the end of a sentence."""
    first_words: reactive[str] = reactive(ANYWHERE)
    notices: reactive[tuple[str, ...]] = reactive((), layout=True)

    def render(self) -> Content:
        """What this is, which model answers and why, what to type first, and what to press then."""
        model = clean_line(self.model_id)
        lines = [
            Content.styled("diligent works on the code here. What it remembers, you can see and edit.", "bold"),
            _about(model, clean_line(self.because)),
            _first(model, clean_line(self.first_words)),
            Content.assemble(
                *_key("/compact", "sums it up"),
                *_key("F5", "shows that,", gap=" "),
                *_key("u", "undoes it"),
                *_key("F2", "tree"),
                *_key("F4", "knowledge"),
            ),
            Content.assemble(
                *_key("⏎", "sends"),
                *_key("esc", "stops"),
                *_key("F1", "keys"),
                *_key("ctrl+q", "leaves, all is saved"),
                *_key("diligent --demo", "a tour"),
            ),
        ]
        lines += [Content.styled(f"· {clean_line(notice)}", "$memory") for notice in self.notices]
        return Content("\n\n").join(lines)


def first_words(folder: Path) -> str:
    """What to try first in a folder."""
    return WITH_README if (folder / README).is_file() else ANYWHERE


def why_this_model(model_id: str, flag: str | None, setting: str | None) -> str:
    """Why a model answers: what was said last counts, then a key that was found."""
    if flag:
        return "as --model says"
    if setting:
        return "as your settings say"
    return "for no key was found" if model_id.startswith(OFFLINE) else "for its key is in the environment"


def _about(model: str, because: str) -> Content:
    if not model:
        return Content("Starting …")
    reason = f", {because}" if because else ""
    if not model.startswith(OFFLINE):
        return Content(f"{model} answers{reason}.")
    return Content.assemble(
        ("Offline", "bold"),
        f"{reason}: the built-in rehearsal engine answers. No language model, no network; its tools are real. ",
        ("/model", "$accent"),
        " changes that.",
    )


def _first(model: str, words: str) -> Content:
    if model.startswith(OFFLINE) or not model:
        return Content.assemble("Type first:  ", (words, "bold $accent"))
    return Content.assemble("Ask about the code, or for a change:  ", ("what does this project do?", "bold $accent"))


def _key(key: str, words: str, gap: str = "   ") -> tuple[tuple[str, str], str]:
    return (key, "$accent"), f" {words}{gap}"
