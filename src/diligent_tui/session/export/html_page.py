"""A session as one page that needs nothing else: the whole tree at the left, the conversation at the right.

Every entry stands in the page once, in the order of the file. A path is then the same page with the other entries
hidden: the path to the leaf without a script, any other with ours. Nothing from outside is markup or script here, and
the page's own policy forbids a browser to load or run anything but the two texts beside this module.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib import resources

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.progress import Tell, part_of, tell_nobody
from diligent_tui.session.export.html_words import code_to_html, words_to_html
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.outline import OutlineRow
from diligent_tui.session.export.parts import Part, Teller
from diligent_tui.session.export.survey import Survey, moment, survey
from diligent_tui.session.store import SessionStore

PLAIN_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
DEEPEST_INDENT = 12
FILTERS = (("all", "All"), ("talk", "No tools"), ("prompts", "Prompts"), ("labelled", "Labelled"))


def to_html(store: SessionStore, mask: Mask, entry_id: str | None = None, tell: Tell = tell_nobody) -> Iterator[bytes]:
    """The page, piece by piece; it opens on the path to an entry, by default to the leaf."""
    facts = survey(store, mask, part_of(tell, 0, 2))
    shown = {node.id for node in store.tree.path(entry_id or store.tree.leaf_id)}
    yield _head(facts).encode()
    for row in facts.rows:
        yield _row(row, facts, row.node.id in shown).encode()
    yield b"</ol></nav>\n<main id=conversation tabindex=-1>\n"
    yield _title(facts).encode()
    teller = Teller(mask)
    parents = {row.node.id: row for row in facts.rows}
    writing = part_of(tell, 1, 2)
    for number, node_id in enumerate(store.tree.nodes):
        writing(number, len(store.tree.nodes))
        if row := parents.get(node_id):
            yield _article(row, facts, store.read(node_id), teller, node_id in shown).encode()
    yield f"</main>\n<script>{_resource('page.js')}</script>\n</body>\n</html>\n".encode()


def anchor(entry_id: str | None) -> str:
    """The name of an entry in the page; an id that is not plain is named by its digest."""
    if entry_id is None:
        return ""
    if PLAIN_ID.fullmatch(entry_id):
        return f"e-{entry_id}"
    return f"x-{hashlib.sha256(entry_id.encode('utf-8', 'replace')).hexdigest()[:16]}"


def policy() -> str:
    """What a browser may do with the page: apply our style, run our script, nothing else."""
    style, script = (_digest(_resource(name)) for name in ("page.css", "page.js"))
    return f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"


@cache
def _resource(name: str) -> str:
    return resources.files("diligent_tui.session.export").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _head(facts: Survey) -> str:
    buttons = "".join(f'<button type=button data-filter="{name}">{words}</button>' for name, words in FILTERS)
    return f"""<!doctype html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="{escape(policy())}">
<meta name=viewport content="width=device-width, initial-scale=1">
<meta name=referrer content=no-referrer>
<meta name=color-scheme content="light dark">
<title>{escape(facts.title)}</title>
<style>{_resource("page.css")}</style>
</head>
<body class=plain>
<nav aria-label="Session tree">
<div id=tools>
<input id=search type=search placeholder="Search all branches  /" aria-label="Search" autocomplete=off spellcheck=false>
<output id=found></output>
<div id=filters role=group aria-label="Show">{buttons}</div>
</div>
<ol id=tree>
"""


def _title(facts: Survey) -> str:
    told = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.facts)
    damage = f"<p class=damage>{escape(facts.damage)}</p>" if facts.damage else ""
    return f"<header><h1>{escape(facts.title)}</h1><dl>{told}</dl>{damage}</header>\n"


def _row(row: OutlineRow, facts: Survey, is_shown: bool) -> str:
    headline = facts.headlines[row.node.id]
    label = facts.labels.get(row.node.id, "")
    classes = [
        f"d{min(row.depth, DEEPEST_INDENT)}",
        headline.kind,
        "on" if is_shown else "",
        "fork" if row.begins_branch else "",
        "error" if headline.is_error else "",
        "labelled" if label else "",
        "orphan" if row.node.is_orphan else "",
    ]
    flag = f"<mark>{escape(label)}</mark> " if label else ""
    sign = "⎇" if row.begins_branch else headline.sign
    return (
        f'<li class="{" ".join(filter(None, classes))}"><a href="#{anchor(row.node.id)}">'
        f"<span class=sign>{sign}</span> {flag}{escape(headline.words)}</a></li>\n"
    )


def _article(row: OutlineRow, facts: Survey, entry: Entry, teller: Teller, is_shown: bool) -> str:
    parts = teller.parts(entry)
    label = facts.labels.get(row.node.id, "")
    kind = parts[0].kind if parts else "answer"
    notes = f"<p class=label>⚑ {escape(label)}</p>" if label else ""
    if row.node.is_orphan:
        notes += "<p class=damage>The entry that this one answered was lost; it stands behind the nearest survivor.</p>"
    body = "".join(_part(part, entry) for part in parts) or "<p class=note>an empty answer</p>"
    return (
        f'<article id="{anchor(row.node.id)}" class={kind} data-parent="{anchor(row.parent_id)}"'
        f"{'' if is_shown else ' hidden'}>{notes}{body}</article>\n"
    )


def _part(part: Part, entry: Entry) -> str:
    error = " error" if part.is_error else ""
    match part.kind:
        case "prompt":
            return f"<div class=said><time>{escape(moment(entry.timestamp))}</time>{words_to_html(part.text)}</div>"
        case "answer":
            return words_to_html(part.text)
        case "thinking":
            return _folded("thought", "Thinking", words_to_html(part.text))
        case "call":
            return _folded("call", f"→ {part.title}", code_to_html(part.text))
        case "result":
            count = len(part.text.splitlines())
            title = f"{'✗' if part.is_error else '✓'} {part.title}"
            size = f"{count:,} line{'' if count == 1 else 's'}"
            return _folded(f"result{error}", title, code_to_html(part.text), size)
        case "memory":
            return f"<section class=summary><h2>⟳ {escape(part.title)}</h2>{words_to_html(part.text)}</section>"
        case "note":
            if part.text:
                return _folded("note", part.title, code_to_html(part.text))
            return f'<p class="note{error}">{escape(part.title)}</p>'


def _folded(kind: str, title: str, body: str, aside: str = "") -> str:
    small = f" <small>{escape(aside)}</small>" if aside else ""
    return f'<details class="{kind}"><summary>{escape(title)}{small}</summary>{body}</details>'
