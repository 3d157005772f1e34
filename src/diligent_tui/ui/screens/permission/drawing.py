"""What a question shows: the command, whole, with nothing in it hidden, why it is asked, and what one may answer."""

import re

from textual.content import Content

from diligent_tui.domain.events import PermissionRequested
from diligent_tui.domain.plain_text import clean_line, clean_name, reveal
from diligent_tui.tools.rules import COMMAND_TOOL
from diligent_tui.ui.key_line import render_keys

LONGEST_COLOURED_CHARS = 20_000
NAME_CHARS = 30
# Quotes first, so that a sign in them is not taken for an operator.
PIECES = re.compile(
    r"""
    (?P<quoted>'[^']*'|"[^"$`]*")
    | (?P<expanded>\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`|⟨U\+[0-9A-F]+⟩|[␀-␡])
    | (?P<operator>&&|\|\||[|;&]|\d?>>?(?:&\d)?|<<?)
    """,
    re.VERBOSE,
)
STYLES = {"quoted": "$secondary", "expanded": "bold $warning", "operator": "bold $accent"}


def coloured_command(command: str) -> Content:
    """A command with its operators, quotes and expansions told apart."""
    text = reveal(command)
    if len(text) > LONGEST_COLOURED_CHARS:
        return Content(text)
    content = Content(text)
    for found in PIECES.finditer(text):
        content = content.stylize(STYLES[found.lastgroup or "quoted"], found.start(), found.end())
    return content


def title(question: PermissionRequested, number: int, count: int) -> Content:
    """What is asked, and how many questions there are."""
    said = f"Allow {clean_name(question.name, NAME_CHARS)}?"
    return Content.assemble((said, "bold $accent"), (f"   {number} of {count}" if count > 1 else "", "$dim"))


def reason(question: PermissionRequested, *, with_rule: bool) -> Content:
    """Why it is asked, and the rule that a longer yes would make."""
    why = Content.styled(clean_line(question.reason), "$dim")
    if not question.rule or not with_rule:
        return why
    return Content.assemble(why, ("\nrule  ", "$dim"), reveal(question.rule))


def answers(question: PermissionRequested, *, may_allow: bool) -> Content:
    """The keys, those for a yes above those for a no; what cannot be answered yet is not offered."""
    no = _keys([("n ⏎ esc", "no"), ("r", "no, and say why")])
    if not may_allow:
        more = Content.assemble(("↓ pgdn end", "$accent"), ("  more below, look at it first", "$warning"))
        return Content("\n").join([more, no])
    if question.rule:
        yes = [("y", "once"), ("s", "this session"), ("a", "always")]
    else:
        # No rule stands above that would say what a longer yes is about.
        thing = "command" if question.name == COMMAND_TOOL else "call"
        yes = [("y", "once"), ("s", f"this very {thing}, this session")]
    return Content("\n").join([_keys(yes), no])


def line_keys(kind: str, problem: str) -> Content:
    """The keys while a line is typed, under what is wrong with it."""
    words = "allow, and save this rule" if kind == "rule" else "say no with this reason"
    keys = _keys([("⏎", words), ("esc", "back")])
    return Content.styled(clean_line(problem), "$error") + Content("\n\n") + keys if problem else keys


def _keys(pairs: list[tuple[str, str]]) -> Content:
    return render_keys(pairs)
