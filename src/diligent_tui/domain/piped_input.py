"""How text that was piped in stands in a prompt: behind the user's words, in a tag that it cannot close itself."""

from dataclasses import dataclass

TAG = "stdin"
MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Piped:
    """A prompt with piped text, taken apart; `text` is only its two ends if it is not whole."""

    words: str
    lines: int
    text: str
    is_whole: bool


def count_lines(text: str) -> int:
    """Lines of a text, the last one with or without its end."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def with_input(words: str, text: str, lines: int, size_bytes: int, file: str = "") -> str:
    """The words with the text behind them; `file` names where all of it is, if this is not all."""
    tag, number = TAG, 1
    while f"</{tag}>" in text:
        number += 1
        tag = f"{TAG}-{number}"
    whole = f' file="{file}"' if file else ""
    end = "" if text.endswith("\n") else "\n"
    return f'{words.rstrip()}\n\n<{tag} lines="{lines}" bytes="{size_bytes}"{whole}>\n{text}{end}</{tag}>'


def without_input(prompt: str) -> Piped | None:
    """The parts of a prompt that `with_input` made; None for any other."""
    tag = prompt.rpartition("\n</")[2].removesuffix(">")
    if not prompt.endswith(f"\n</{tag}>") or tag.partition("-")[0] != TAG:
        return None
    words, found, rest = prompt.partition(f'\n\n<{tag} lines="')
    count, quoted, _ = rest.partition('"')
    marks, opened, text = rest.partition(">\n")
    if not (found and quoted and opened and count.isascii() and count.isdigit() and len(count) <= MOST_DIGITS):
        return None
    return Piped(words, int(count), text.removesuffix(f"</{tag}>"), ' file="' not in marks)
