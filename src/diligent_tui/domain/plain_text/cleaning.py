"""Outside text made safe to show: whole, on one line, piece by piece as it arrives, or with all that hides revealed."""

from diligent_tui.domain.plain_text.characters import is_harmless, reveal_characters, show_characters
from diligent_tui.domain.plain_text.runs import reveal_runs, run_start, settle_runs, shorten_run
from diligent_tui.domain.plain_text.sequences import open_sequence_start, strip_sequences
from diligent_tui.domain.plain_text.surrogates import mend_text

LINE_BREAK_SIGN = " ⏎ "


def clean(text: str) -> str:
    """The text without anything that acts on a terminal or hides: no control but the newline is left."""
    if is_harmless(text):
        return text
    text = strip_sequences(mend_text(text))
    return text if is_harmless(text) else settle_runs(show_characters(text))


def clean_line(text: str, limit_chars: int | None = None) -> str:
    """The cleaned text on one line, with ⏎ for line breaks and … where it was cut to the limit."""
    if limit_chars is None:
        return _one_line(clean(text))
    # A title taken from a megabyte of output needs its head only.
    head = text[: 4 * limit_chars + 1024]
    line = _one_line(StreamCleaner().feed(head))
    if len(line) <= limit_chars:
        line = _one_line(clean(text))
    if len(line) <= limit_chars:
        return line
    return clean(line[: max(0, limit_chars - 1)]).rstrip() + "…" if limit_chars > 0 else ""


def clean_name(text: str, limit_chars: int | None = None) -> str:
    """The cleaned text as one name, or as one sentence with names in it: a break in it is a blank like any other."""
    head = text if limit_chars is None else text[: 4 * limit_chars + 1024]
    name = " ".join(clean(head).split())
    return name if limit_chars is None else clean_line(name, limit_chars)


def reveal(text: str) -> str:
    """The text with nothing removed and every hidden character spelled out, for a reader who must see all of it."""
    return reveal_runs(reveal_characters(mend_text(text)))


class StreamCleaner:
    """Cleans text that arrives in pieces; all it gives out, joined, is what `clean` makes of the whole."""

    def __init__(self) -> None:
        """Start before the first piece."""
        self._held = ""
        self._flow = CharacterFlow()

    def feed(self, chunk: str) -> str:
        """What can be shown of the text so far and was not given out before."""
        text = self._held + chunk
        whole = len(text) - 1 if "\ud800" <= text[-1:] <= "\udbff" else len(text)
        mended = mend_text(text[:whole])
        cut = open_sequence_start(mended)
        self._held = mended[cut:] + text[whole:]
        return self._flow.feed(strip_sequences(mended[:cut]))

    def finish(self) -> str:
        """What was held back for text that did not come."""
        rest = strip_sequences(mend_text(self._held))
        self._held = ""
        return self._flow.feed(rest) + self._flow.finish()


class CharacterFlow:
    """Cleans single characters in pieces of text that no longer hold surrogates or sequences."""

    def __init__(self) -> None:
        """Start before the first piece."""
        self._after_return = False
        self._base = ""
        self._run = ""

    def feed(self, text: str) -> str:
        """The piece as it is shown; marks at its end wait for the character behind them."""
        if self._after_return and text:
            text = text.lstrip("\r")
            self._after_return = not text
            text = text.removeprefix("\n")
        if not text:
            return ""
        self._after_return = text.endswith("\r")
        text = self._base + self._run + (text if is_harmless(text) else show_characters(text))
        cut = run_start(text)
        shown = settle_runs(text[:cut])[len(self._base) :]
        self._base, self._run = text[cut - 1 : cut] if cut else "", shorten_run(text[cut:])
        return shown

    def finish(self) -> str:
        """The marks that nothing came behind."""
        shown = settle_runs(self._base + self._run)[len(self._base) :]
        self._base = self._run = ""
        return shown


def _one_line(text: str) -> str:
    return LINE_BREAK_SIGN.join(filter(None, map(str.strip, text.split("\n"))))
