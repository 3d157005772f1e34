"""The words behind `diligent knowledge`, as one parser."""

import argparse
from typing import Literal, get_args

from diligent_tui.cli.arguments import Parser
from diligent_tui.cli.verbs import Verbs
from diligent_tui.domain.knowledge import DEFAULT_CONFIDENCE, KNOWLEDGE_TYPES, KnowledgeScope, KnowledgeType
from diligent_tui.knowledge.exporting import KnowledgeFormat

Verb = Literal[
    "list",
    "show",
    "add",
    "supersede",
    "retract",
    "restore",
    "pin",
    "unpin",
    "search",
    "export",
    "import",
    "prune",
    "stats",
]
VERBS = "|".join(get_args(Verb))
LEAST_SCORE = 0.02
"""What counts less is pruned by default: a discovery after some five half-lives."""

EXAMPLES = """\
examples:
  diligent knowledge                          what is known, the most important first
  diligent knowledge add preference Be brief. --user
  diligent knowledge supersede 3f2a9c01 Tests run with uv run pytest.
  diligent knowledge show 3f2a                its history, its score, where it was learnt
  diligent knowledge search how do tests run
  diligent knowledge export --output facts.md
  diligent knowledge prune                    says what would go; --yes does it

An entry is named by its id or the beginning of it. Nothing is ever deleted: what is retracted can be restored.
exit codes: 0 done, 1 failed, not found, or like something known, 2 usage
"""
LIST = """\
example:
  diligent knowledge list --type preference
  diligent knowledge list --json | jq -r 'select(.told) | .content'

+ is told to the model now, - found no room, * is pinned. The score is confidence × recency × weight of the type.
"""
SEARCH = "example:\n  diligent knowledge search how do tests run --type pattern"
ADD = """\
example:
  diligent knowledge add pattern Tests run with make test. --tag tests
  diligent knowledge add preference Be brief. --user --pinned
"""
SUPERSEDE = "example:\n  diligent knowledge supersede 3f2a Tests run with uv run pytest."
PRUNE = "example:\n  diligent knowledge prune --older 90\n  diligent knowledge prune --below 0.01 --yes"
EXPORT = """\
example:
  diligent knowledge export --output knowledge.md --force
  diligent knowledge export --format jsonl --all

"""
IMPORT = "example:\n  diligent knowledge import knowledge.md --dry-run\n\n"
TRANSFER = """\
Markdown is for people: items under the headings of the types; JSON lines are as they stand in the file.
What is imported keeps its time; what is known here already is passed over, and secrets are refused.
"""


class KnowledgeArguments(argparse.Namespace):
    """The words, understood; each verb has its own."""

    verb: Verb
    words: list[str]
    id: str
    type: KnowledgeType | None
    confidence: float | None
    tag: list[str]
    user: bool
    scope: KnowledgeScope | None
    all: bool
    json: bool
    force: bool
    pinned: bool
    format: KnowledgeFormat | None
    output: str | None
    file: str
    yes: bool
    dry_run: bool
    below: float
    older: float | None
    cwd: str | None
    trust: bool

    @property
    def text(self) -> str:
        """The free words as one text."""
        return " ".join(self.words)


def parse_knowledge(words: list[str]) -> KnowledgeArguments:
    """Understand the words, or raise UsageError."""
    return make_knowledge_parser().parse_args(words or ["list"], KnowledgeArguments())


def make_knowledge_parser() -> Parser:
    """The words behind `knowledge`."""
    parser = Parser.telling(
        "diligent knowledge", "See and curate what is kept across sessions, for this project and for you.", EXAMPLES
    )
    verbs = Verbs[Verb](parser, VERBS, "knowledge")
    listing = verbs.add("list", "list entries, the most important first", LIST)
    searching = verbs.add("search", "find entries by words, the best first", SEARCH)
    for each in (listing, searching):
        each.add_argument("words", nargs="*" if each is listing else "+", metavar="WORDS")
        each.add_argument("--type", choices=KNOWLEDGE_TYPES, help="only those")
        each.add_argument("--tag", action="append", default=[], metavar="TAG", help="only with that tag")
        each.add_argument("--scope", choices=get_args(KnowledgeScope), help="only the project's, or only yours")
    listing.add_argument("--all", action="store_true", help="with what was superseded or retracted")
    showing = verbs.add("show", "show one entry: its score, its history, where it was learnt", _example("show 3f2a"))
    adding = verbs.add("add", "keep a fact", ADD)
    adding.add_argument("type", choices=KNOWLEDGE_TYPES, metavar=f"TYPE ({', '.join(KNOWLEDGE_TYPES)})")
    adding.add_argument("--user", action="store_true", help="for all your projects, not only this one")
    adding.add_argument("--pinned", action="store_true", help="before all that are not pinned")
    adding.add_argument("--force", action="store_true", help="also if there is something like it")
    superseding = verbs.add("supersede", "replace an entry by what holds now", SUPERSEDE)
    superseding.add_argument("id", metavar="ID")
    superseding.add_argument("--type", choices=KNOWLEDGE_TYPES, help="by default as it was")
    for each in (adding, superseding):
        each.add_argument("words", nargs="+", metavar="FACT")
        usual = f"0 to 1; {DEFAULT_CONFIDENCE}" if each is adding else "0 to 1; as it was"
        each.add_argument("--confidence", type=float, metavar="N", help=f"{usual} if not said")
        each.add_argument("--tag", action="append", default=[], metavar="TAG", help="may be given again")
    for each in (
        showing,
        verbs.add("retract", "take an entry back; it is not told any more", _example("retract 3f2a")),
        verbs.add("restore", "bring an entry back that was retracted", _example("restore 3f2a")),
        verbs.add("pin", "put an entry before all that are not pinned", _example("pin 3f2a")),
        verbs.add("unpin", "let an entry find its rank again", _example("unpin 3f2a")),
    ):
        each.add_argument("id", metavar="ID")
    _add_transfer(verbs.add("export", "write what is known as Markdown or JSON lines", EXPORT + TRANSFER))
    importing = verbs.add("import", "take entries in from Markdown or JSON lines", IMPORT + TRANSFER)
    importing.add_argument("file", metavar="FILE")
    importing.add_argument("--format", choices=get_args(KnowledgeFormat), help="by default as the file's name says")
    importing.add_argument("--user", action="store_true", help="for all your projects, not only this one")
    importing.add_argument("--dry-run", action="store_true", help="only say what would be taken in")
    pruning = verbs.add("prune", "say which entries count next to nothing any more, or retract them", PRUNE)
    pruning.add_argument("--below", type=float, default=LEAST_SCORE, metavar="SCORE", help="%(default)s if not said")
    pruning.add_argument("--older", type=float, metavar="DAYS", help="only those older than that")
    pruning.add_argument("--yes", action="store_true", help="retract them")
    verbs.add("stats", "count entries by type and state, and the room they take", _example("stats --json"))
    return parser


def _example(words: str) -> str:
    return f"example:\n  diligent knowledge {words}"


def _add_transfer(exporting: argparse.ArgumentParser) -> None:
    exporting.add_argument("--format", choices=get_args(KnowledgeFormat), help="by default as the output says, else md")
    exporting.add_argument("--output", "-o", metavar="FILE", help="by default standard output")
    exporting.add_argument("--scope", choices=get_args(KnowledgeScope), help="only the project's, or only yours")
    exporting.add_argument("--all", action="store_true", help="with the history; JSON lines only")
    exporting.add_argument("--force", action="store_true", help="replace a file that is there")
