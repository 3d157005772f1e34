"""The words behind `diligent sessions`, as one parser."""

import argparse
from typing import Literal, get_args

from diligent_tui.cli.arguments import Parser
from diligent_tui.cli.verbs import Verbs
from diligent_tui.session.export.formats import ExportFormat

Verb = Literal["list", "show", "fork", "export"]

EXAMPLES = """\
examples:
  diligent sessions                          the same as: diligent sessions list
  diligent sessions list config              those with the word in their name or first prompt
  diligent sessions show 20260102            the newest whose id begins so
  diligent sessions fork loader --at 3f2a9c01
  diligent sessions export loader --format html --output loader.html

Without ID or WORDS it is the session that changed last. An entry is named by its id, the beginning of it, or a label.
exit codes: 0 done, 1 failed or not found, 2 usage
"""
SHOW = "example:\n  diligent sessions show config loader\n  diligent sessions show 20260102 --json | jq .tree[].text"
LIST = """\
example:
  diligent sessions list config loader
  diligent sessions list --json | jq -r .id

--json prints one object a line: id, title, name, firstPrompt, changed, tokens, cost, compactions, parentSession;
what the ends of a file do not tell is null.
"""
FORK = "example:\n  diligent sessions fork config loader --at 3f2a9c01\n\nThe id of the fork is all that is printed."
EXPORT = """\
example:
  diligent sessions export config loader --format html
  diligent sessions export --output - --branch 3f2a9c01 | less

md is the path to the leaf, html the whole tree on one page that needs no network, jsonl the file as it is.
Keys of the environment are masked in all of them, in md and html also what looks like a key. The file is readable by
you only.
"""


class SessionsArguments(argparse.Namespace):
    """The words, understood; each verb has its own."""

    verb: Verb
    words: list[str]
    cwd: str | None
    trust: bool
    json: bool
    at: str | None
    format: ExportFormat | None
    output: str | None
    branch: str | None
    force: bool

    @property
    def wanted(self) -> str:
        """The id or words as one text."""
        return " ".join(self.words)


def parse_sessions(words: list[str]) -> SessionsArguments:
    """Understand the words, or raise UsageError."""
    return make_sessions_parser().parse_args(words or ["list"], SessionsArguments())


def make_sessions_parser() -> Parser:
    """The words behind `sessions`."""
    parser = Parser.telling("diligent sessions", "List, show, fork and export the sessions of this project.", EXAMPLES)
    verbs = Verbs[Verb](parser, "list|show|fork|export", "sessions")
    listing = verbs.add("list", "list sessions, newest first", LIST)
    showing = verbs.add("show", "show one session: its facts, its tree, its damage", SHOW)
    forking = verbs.add("fork", "copy a session into a new one", FORK)
    exporting = verbs.add("export", "write a session as Markdown, HTML or JSON lines", EXPORT)
    for each in (listing, showing, forking, exporting):
        each.add_argument("words", nargs="*", metavar="WORDS" if each is listing else "ID or WORDS")
    forking.add_argument("--at", metavar="ENTRY", help="only the path to that entry")
    exporting.add_argument(
        "--format", choices=get_args(ExportFormat), help="by default as the output's name says, else md"
    )
    exporting.add_argument("--output", "-o", metavar="FILE", help="by default ID.FORMAT here; - is standard output")
    exporting.add_argument("--branch", metavar="ENTRY", help="the path to that entry instead of the leaf's")
    exporting.add_argument("--force", action="store_true", help="replace a file that is there")
    return parser
