"""What the terminal can do, by what it says of itself."""

import curses
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from diligent_tui.cli.doctor.findings import Finding, doubtful, well
from diligent_tui.domain.plain_text import clean_line

LEAST_SIZE = (80, 24)
MANY_COLOURS = 256
NAME_CHARS = 40
TRUE_COLOUR = frozenset({"truecolor", "24bit"})
TAKES_OSC_52 = ("kitty", "wezterm", "alacritty", "foot", "ghostty", "iterm", "vscode", "contour", "rio", "windows")
"""Terminals that let a program fill the clipboard, by a part of what TERM or TERM_PROGRAM says."""
REFUSES_OSC_52 = ("apple_terminal", "linux", "vt100", "dumb")


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """What was found out about the terminal; None where it did not say."""

    is_terminal: bool
    columns: int
    rows: int
    encoding: str
    colours: int | None = None
    has_mouse: bool | None = None


def look_at_terminal(environ: Mapping[str, str]) -> TerminalFacts:
    """Ask the system and the terminal's entry in terminfo; nothing is written to the terminal."""
    is_terminal = sys.stdout.isatty()
    try:
        size = os.get_terminal_size(sys.stdout.fileno() if is_terminal else 2)
    except (OSError, ValueError):
        size = os.terminal_size((0, 0))
    colours: int | None = None
    has_mouse: bool | None = None
    if term := environ.get("TERM"):
        try:
            curses.setupterm(term, 1)
            colours = max(0, curses.tigetnum("colors"))
            has_mouse = curses.tigetstr("kmous") is not None
        except curses.error:
            pass
    return TerminalFacts(is_terminal, size.columns, size.lines, sys.stdout.encoding or "", colours, has_mouse)


def about_terminal(facts: TerminalFacts, environ: Mapping[str, str]) -> Iterator[Finding]:
    """The findings."""
    term = environ.get("TERM", "")
    shown = clean_line(term, NAME_CHARS)
    if term in ("", "dumb"):
        yield doubtful("terminal", "TERM", f"TERM is {shown or 'not set'}.", "Set TERM, as xterm-256color.")
    elif facts.colours is None:
        yield doubtful(
            "terminal", "TERM", f"TERM is {shown}, which this machine does not know.", "Try TERM=xterm-256color."
        )
    else:
        yield well("terminal", "TERM", f"TERM is {shown}{_around(environ)}.")
    yield _size(facts)
    yield _colours(facts, environ)
    yield _encoding(facts)
    if facts.has_mouse is False or term in ("", "dumb", "linux"):
        yield doubtful(
            "terminal", "mouse", "This terminal reports no mouse.", "Use the keys: F1 shows those of where you are."
        )
    else:
        yield well("terminal", "mouse", "The mouse is reported.")


def about_osc_52(environ: Mapping[str, str]) -> Finding:
    """Whether copied text reaches the clipboard through the terminal."""
    names = f"{environ.get('TERM', '')} {environ.get('TERM_PROGRAM', '')}".lower()
    if environ.get("WT_SESSION"):
        names += " windows"
    within = "tmux" if environ.get("TMUX") else "screen" if environ.get("STY") else ""
    if within:
        return doubtful(
            "clipboard",
            "OSC 52",
            f"Copied text goes to {within}, which passes it on only if told to.",
            "In tmux: set -s set-clipboard on." if within == "tmux" else "Copy with the terminal's own selection.",
        )
    if any(name in names for name in TAKES_OSC_52):
        return well("clipboard", "OSC 52", "Copied text reaches the clipboard through the terminal (OSC 52).")
    words = "does not take" if any(name in names for name in REFUSES_OSC_52) else "is not known to take"
    return doubtful(
        "clipboard",
        "OSC 52",
        f"This terminal {words} copied text (OSC 52).",
        "If copying does nothing, start with --no-mouse and use the terminal's own selection.",
    )


def _around(environ: Mapping[str, str]) -> str:
    """What stands between us and the terminal."""
    programs = {"TMUX": "in tmux", "STY": "in screen", "ZELLIJ": "in zellij", "SSH_CONNECTION": "over ssh"}
    found = [words for name, words in programs.items() if environ.get(name)]
    return f", {', '.join(found)}" if found else ""


def _size(facts: TerminalFacts) -> Finding:
    if not facts.is_terminal:
        return doubtful(
            "terminal",
            "size",
            "Standard output is not a terminal, so its size is not known.",
            "Run `diligent doctor` in the terminal itself to have it looked at.",
        )
    said = f"{facts.columns} × {facts.rows}"
    if facts.columns < LEAST_SIZE[0] or facts.rows < LEAST_SIZE[1]:
        least = f"{LEAST_SIZE[0]} × {LEAST_SIZE[1]}"
        return doubtful("terminal", "size", f"The terminal is {said}.", f"Make it {least} or larger to see all panes.")
    return well("terminal", "size", f"The terminal is {said}.")


def _colours(facts: TerminalFacts, environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return doubtful("terminal", "colours", "NO_COLOR is set: all is grey.", "Unset NO_COLOR to have colours.")
    if environ.get("COLORTERM", "").lower() in TRUE_COLOUR or (facts.colours or 0) > MANY_COLOURS:
        return well("terminal", "colours", "True colour.")
    remedy = "If it can do more, set COLORTERM=truecolor; else try `diligent config set theme ansi`."
    if facts.colours is None:
        return doubtful("terminal", "colours", "How many colours there are is not known.", remedy)
    return doubtful("terminal", "colours", f"{facts.colours} colours, by what the terminal says.", remedy)


def _encoding(facts: TerminalFacts) -> Finding:
    if facts.encoding.lower().replace("-", "") == "utf8":
        return well("terminal", "Unicode", "Text is UTF-8.")
    said = clean_line(facts.encoding, NAME_CHARS) or "not known"
    return doubtful("terminal", "Unicode", f"The encoding is {said}, not UTF-8.", "Set LANG, as C.UTF-8.")
