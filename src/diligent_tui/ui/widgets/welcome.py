"""What an empty chat says: five lines that teach."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line

OFFLINE = "offline/"
FIRST_WORDS = "list . then run echo hi"
"""Something the offline model understands and that works in any folder."""


class Welcome(Widget):
    """Shown until the first prompt."""

    model_id: reactive[str] = reactive("")
    because: reactive[str] = reactive("")
    """Why this model answers, as the end of a sentence."""
    notices: reactive[tuple[str, ...]] = reactive((), layout=True)

    def render(self) -> Content:
        """What this is, which model answers and why, what to type first, and what to press then."""
        model = clean_line(self.model_id)
        lines = [
            Content.styled(
                "diligent works on the code in this folder; what it remembers you can see and edit.", "bold"
            ),
            _about(model, clean_line(self.because)),
            _first(model),
            Content.assemble(
                *_key("F2", "tree"),
                *_key("F4", "knowledge"),
                *_key("F6", "what the model sees"),
                *_key("/compact", "sum up"),
                *_key("F5", "see it, undo it"),
            ),
            Content.assemble(
                *_key("enter", "sends"),
                *_key("esc", "stops"),
                *_key("F1", "keys"),
                *_key("ctrl+q", "leaves; all is saved"),
                ("diligent --demo", "$accent"),
                (" is a tour", "$dim"),
            ),
        ]
        lines += [Content.styled(f"· {clean_line(notice)}", "$memory") for notice in self.notices]
        return Content("\n\n").join(lines)


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


def _first(model: str) -> Content:
    if model.startswith(OFFLINE) or not model:
        return Content.assemble("Type first:  ", (FIRST_WORDS, "bold $accent"), ("   and press enter", "$dim"))
    return Content.assemble("Ask about the code, or for a change:  ", ("what does this project do?", "bold $accent"))


def _key(key: str, words: str) -> tuple[tuple[str, str], str]:
    return (key, "$accent"), f" {words}   "
