"""The sentences of the rehearsal engine that do not depend on any result."""

from collections.abc import Sequence
from typing import assert_never

from diligent_tui.providers.offline.reports import bullets, code
from diligent_tui.providers.offline.steps import (
    Count,
    Edit,
    Greet,
    ListFolder,
    Plan,
    Read,
    Recount,
    Remember,
    Run,
    Search,
    Step,
    ThinkAbout,
    Unknown,
    Write,
)
from diligent_tui.providers.offline.talk import Talk, shorten

LONGEST_QUOTE_CHARS = 300
MOST_PROMPTS = 30

ABILITIES = """\
I am the **rehearsal engine**, no language model: I follow a few plain orders, word for word, with the real tools. \
Try one of these:

- `read README.md, then list src`
- `search "TODO" in . then run git status`
- `edit "old words" to "new words" in notes.md`

I also know *write … to …*, *remember …*, *plan …*, *think about …* and *what did I ask?*

For real answers switch to a language model: `/model` here, or start with `diligent --model sonnet` and \
`ANTHROPIC_API_KEY` (or `OPENAI_API_KEY`) in the environment."""


def intention(step: Step) -> str:
    """What a step does, as the end of a sentence that begins with I."""
    match step:
        case Read():
            lines = f" from line {step.first_line}" if step.first_line else ""
            return f"read {' and '.join(code(path) for path in step.paths)}{lines}"
        case ListFolder():
            return f"list {code(step.path)}"
        case Search():
            return f"search for {code(step.pattern)} in {code(step.path)}"
        case Run():
            return f"run {code(step.command)}"
        case Write():
            return f"write to {code(step.path)}"
        case Edit():
            return f"edit {code(step.path)}"
        case Remember():
            return f"remember {code(step.text)}"
        case Plan():
            return f"note a plan of {len(step.items)} points"
        case ThinkAbout():
            return f"think about {code(step.subject)}"
        case Count():
            return f"count the {step.unit} that were piped in"
        case Recount():
            return "say what you asked"
        case Greet():
            return "say hello"
        case Unknown():
            return f"leave {code(step.text)} alone, which I do not understand"
        case _:
            assert_never(step)


def in_words(step: Step, talk: Talk, is_only_step: bool, missing_tool: str) -> str:
    """The answer to a step that makes no call."""
    match step:
        case Plan():
            return f"A plan:\n\n{bullets(step.items)}"
        case ThinkAbout():
            return (
                f"I turned {code(step.subject)} over as far as an engine without a language model can: I see its "
                f"{len(step.subject.split())} words, not their meaning. A real model would reason here."
            )
        case Count():
            return _count(step, talk)
        case Recount():
            return _recount(talk)
        case Greet():
            return f"Hello. {ABILITIES}"
        case Unknown():
            return ABILITIES if is_only_step else f"I did not understand {code(step.text)}, so I left it alone."
        case Read() | ListFolder() | Search() | Run() | Write() | Edit() | Remember():
            return f"I would {intention(step)}, but there is no {code(missing_tool)} tool in this request."
        case _:
            assert_never(step)


def _count(step: Count, talk: Talk) -> str:
    if talk.piped is None:
        return f"Nothing was piped in, so there are no {step.unit} to count."
    if step.unit == "lines":
        found = talk.piped.lines
    elif talk.piped.is_whole:
        found = len(talk.piped.text.split())
    else:
        return "Only the two ends of what was piped in are here; its words cannot be counted from that."
    return f"{found:,} {step.unit if found != 1 else step.unit[:-1]}."


def _recount(talk: Talk) -> str:
    parts: list[str] = []
    if covered := asked_in_summary(talk.summary):
        parts.append("From the summary of what came before:\n\n" + "\n".join(f"- {line}" for line in covered))
    if talk.earlier:
        parts.append("You asked, in this order:\n\n" + _numbered(talk.earlier[-MOST_PROMPTS:]))
    return "\n\n".join(parts) or "You asked nothing before this."


def _numbered(prompts: Sequence[str]) -> str:
    lines = (f"{n}. {shorten(' '.join(text.split()), LONGEST_QUOTE_CHARS)}" for n, text in enumerate(prompts, start=1))
    return "\n".join(lines)


def asked_in_summary(summary: str) -> list[str]:
    """The lines of a summary that say what the user wanted."""
    found: list[str] = []
    wanted = False
    for line in summary.splitlines():
        if line.startswith("#"):
            title = line.strip("# ").lower()
            wanted = title == "goal" or ("user" in title and ("words" in title or "asked" in title))
        elif wanted and line.strip():
            found.append(line.strip().lstrip("-*0123456789. "))
    return found[:MOST_PROMPTS]
