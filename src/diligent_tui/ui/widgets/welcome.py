"""What an empty chat says: five lines that teach."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line


class Welcome(Widget):
    """Shown until the first prompt."""

    model_id: reactive[str] = reactive("")
    notices: reactive[tuple[str, ...]] = reactive((), layout=True)

    def render(self) -> Content:
        """What this is, which model answers, what to press."""
        model = clean_line(self.model_id)
        is_offline = model.startswith("offline/")
        about = (
            "It answers with the built-in rehearsal engine: no language model, no network, real tools."
            if is_offline
            else f"It answers with {model}."
            if model
            else "Starting …"
        )
        lines = [
            Content.styled("diligent works on the code in this folder, and you can see what it remembers.", "bold"),
            Content(about),
            Content.assemble("Try:  ", ("read README.md then run echo hi", "$accent")),
            Content.assemble(
                ("enter", "$accent"), " sends   ", ("esc", "$accent"), " stops   ", ("F1", "$accent"), " shows all keys"
            ),
            Content.styled("Everything is saved as you go; leave any time with ctrl+q.", "$dim"),
        ]
        lines += [Content.styled(f"· {clean_line(notice)}", "$memory") for notice in self.notices]
        return Content("\n\n").join(lines)
