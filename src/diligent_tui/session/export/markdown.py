"""A path of a session as Markdown that is safe to read anywhere: what was said cannot break out of its place."""

import html
import re
from collections.abc import Iterator

from diligent_tui.domain.entries import SIDE_TYPES, Entry
from diligent_tui.domain.progress import Tell, part_of, tell_nobody
from diligent_tui.session.export.markdown_words import fenced, inline, quoted, tamed
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.parts import Part, Teller
from diligent_tui.session.export.survey import Survey, moment, survey
from diligent_tui.session.store import SessionStore

JSON_KINDS = re.compile(r"\s*[{\[]")


def to_markdown(
    store: SessionStore, mask: Mask, entry_id: str | None = None, tell: Tell = tell_nobody
) -> Iterator[bytes]:
    """The path to an entry, by default to the leaf, piece by piece."""
    facts = survey(store, mask, part_of(tell, 0, 2))
    yield _head(facts).encode()
    teller, path = Teller(mask), store.tree.path(entry_id or store.tree.leaf_id)
    writing = part_of(tell, 1, 2)
    for number, node in enumerate(path):
        writing(number, len(path))
        if node.type in SIDE_TYPES:
            continue
        if node.is_orphan:
            yield b"*The entry that this one answered was lost; it stands behind the nearest survivor.*\n\n"
        if label := facts.labels.get(node.id):
            yield f"⚑ **{inline(label)}**\n\n".encode()
        entry = store.read(node.id)
        for part in teller.parts(entry):
            yield _part(part, entry).encode()


def _head(facts: Survey) -> str:
    lines = [f"# {inline(facts.title)}", ""]
    lines += [f"- {name}: {inline(value)}" for name, value in facts.facts]
    if facts.damage:
        lines += ["", f"> **Damaged.** {inline(facts.damage)}"]
    return "\n".join([*lines, "", ""])


def _part(part: Part, entry: Entry) -> str:
    match part.kind:
        case "prompt":
            when = f" · {at}" if (at := moment(entry.timestamp)) else ""
            return f"## You{when}\n\n{quoted(tamed(part.text))}\n\n"
        case "answer":
            return f"{tamed(part.text)}\n\n"
        case "thinking":
            return _folded("Thinking", quoted(tamed(part.text)))
        case "call":
            return f"**→ {inline(part.title)}**\n\n{fenced(part.text, 'json')}\n\n"
        case "result":
            sign = "✗" if part.is_error else "✓"
            return _folded(f"{sign} {part.title} · {_lines(part.text)}", fenced(part.text))
        case "memory":
            return f"### ⟳ {inline(part.title)}\n\n{quoted(tamed(part.text))}\n\n"
        case "note":
            if not part.text:
                return f"*{inline(part.title)}*\n\n"
            return _folded(part.title, fenced(part.text, "json" if JSON_KINDS.match(part.text) else ""))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{html.escape(title)}</summary>\n\n{body}\n\n</details>\n\n"


def _lines(text: str) -> str:
    count = len(text.splitlines())
    return f"{count:,} line{'' if count == 1 else 's'}"
