"""Keeps secrets out of the trace: what looks like one is neither shown, copied nor exported."""

from dataclasses import replace

from diligent_tui.agent.trace_size import CUT
from diligent_tui.domain.secret_text import without_secrets
from diligent_tui.ui.panes.trace.words import Headline


def hide(text: str) -> str:
    """A text without what looks like a secret, nor the half of one that is left where a long text was cut."""
    found = CUT.search(text)
    if found is None:
        return without_secrets(text)
    return f"{without_secrets(text[: found.start()], is_cut=True)}{found[0]}"


def hide_in_row(line: Headline) -> Headline:
    """The words of a row without secrets."""
    return replace(
        line,
        title=hide(line.title),
        subject=hide(line.subject),
        effects=tuple(hide(words) for words in line.effects),
        about=hide(line.about),
    )
