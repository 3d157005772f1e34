"""The details of an entry as rows: its whole text, where it stands and why, where it comes from, what it was before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import KnownEntry
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.panes.knowledge import words as say
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.panes.knowledge.origins import Background
from diligent_tui.ui.widgets.diff import DiffLayout, DiffLook, diff_texts

MOST_STEPS = 30
"""Versions whose changes are shown; older ones are counted."""
MOST_QUOTED_COLUMNS = 60
MOST_TAG_CHARS = 24
LEFT = "Learnt on a branch that you left. {fact_keep} keeps it, {fact_retract} takes it back."


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry or a candidate, and all that is told of it."""

    subject: KnownEntry | InboxCandidate
    background: Background = field(default_factory=Background)
    is_new: bool = False


def draw_details(
    shown: Shown, width: int, look: KnowledgeLook, diff: DiffLook, now: datetime, keymap: Mapping[str, str] = OUR_KEYS
) -> list[Strip]:
    """All that is known, as rows of a width."""
    match shown.subject:
        case KnownEntry() as known:
            rows = [
                *_head(known, width, look, keymap),
                *wrapped(known.entry.content, width, look.text),
                Strip([]),
                *_origin(shown.background, width, look),
                *_saved(known.entry, now, width, look),
                *_score(known, width, look),
                *_tags(known.entry, width, look),
                *(wrapped(shown.background.uses, width, look.dim) if shown.background.uses else ()),
            ]
            return [*rows, *_history(known.entry, shown.background.chain, width, look, diff, now)]
        case InboxCandidate() as candidate:
            proposed = f"{candidate.type} · proposed by {clean_line(candidate.source, MOST_TAG_CHARS) or 'the model'}"
            return [
                *wrapped(proposed, width, look.memory),
                *wrapped(candidate.content, width, look.text),
                Strip([]),
                *_origin(shown.background, width, look),
            ]
        case _:
            assert_never(shown.subject)


def wrapped(text: str, width: int, style: Style) -> list[Strip]:
    """A text that may be anything, broken at words."""
    shown = clean(text)
    return [
        Strip([Segment(shown[begin:end].replace("\t", " "), style)])
        for begin, end, _, _ in break_text(shown, max(1, width))
    ]


def _head(known: KnownEntry, width: int, look: KnowledgeLook, keymap: Mapping[str, str]) -> list[Strip]:
    scope = f"{say.USER_WIDE} all your projects" if known.entry.scope == "user" else "this project"
    told = [known.entry.type, scope, *([f"{say.PINNED} pinned"] if known.pinned else []), known.entry.id]
    strips = wrapped(" · ".join(told), width, look.accent)
    if known.is_left_behind:
        strips += wrapped(f"{say.LEFT_BRANCH} {sentence_now(LEFT, keymap)}", width, look.memory)
    return strips


def _origin(background: Background, width: int, look: KnowledgeLook) -> list[Strip]:
    origin = background.origin
    if not origin.place:
        return []
    room = width - cell_len(f"from: {origin.place} “”")
    quoted = fit(origin.words, min(room, MOST_QUOTED_COLUMNS))
    words = f"from: {clean_line(origin.place)}" + (f" “{quoted}”" if quoted else "")
    return [Strip([Segment(words, look.dim)])]


def _saved(entry: KnowledgeEntry, now: datetime, width: int, look: KnowledgeLook) -> list[Strip]:
    verb = "edited" if entry.supersedes else "saved"
    when = f"{verb}{say.by(entry)} {say.long_age(entry.moment, now)}, {entry.moment.astimezone():%Y-%m-%d %H:%M}"
    return wrapped(when, width, look.dim)


def _score(known: KnownEntry, width: int, look: KnowledgeLook) -> list[Strip]:
    score = known.score
    if score is None:
        return wrapped(say.standing(known), width, look.memory)
    first = "pinned, so before all others; " if score.pinned else ""
    lines = [
        (" ", say.part(score.total), f"score; {first}{say.standing(known)}"),
        (" ", say.part(score.confidence), "confidence"),
        ("×", say.part(score.recency), f"age: halves every {say.days(score.half_life_days)}"),
        ("×", say.part(score.type_weight), f"weight of a {known.entry.type}"),
    ]
    strips: list[Strip] = []
    for number, (sign, figure, words) in enumerate(lines):
        rows = wrapped(words, width - 8, look.dim if number else look.text)
        lead = [
            Segment(sign, look.dim),
            Segment(" " * (5 - len(figure)), look.rule),
            Segment(f"{figure}  ", look.text if number else look.strong),
        ]
        for place, row in enumerate(rows):
            strips.append(Strip([*(lead if place == 0 else [Segment(" " * 8, look.rule)]), *row]))
    return strips


def _tags(entry: KnowledgeEntry, width: int, look: KnowledgeLook) -> list[Strip]:
    tags = " ".join(f"#{clean_line(tag, MOST_TAG_CHARS)}" for tag in entry.tags)
    return wrapped(tags, width, look.accent) if tags else []


def _history(
    entry: KnowledgeEntry,
    chain: Sequence[KnowledgeEntry],
    width: int,
    look: KnowledgeLook,
    diff: DiffLook,
    now: datetime,
) -> list[Strip]:
    """The versions, the newest first, each as what it changed."""
    if len(chain) < 2:
        return []
    older = {each.id: each for each in chain}
    rows = [Strip([]), Strip([Segment(f"History of {len(chain):,} versions, the newest first", look.strong)])]
    for step in reversed(chain[-MOST_STEPS:]):
        before = older.get(step.supersedes or "")
        mark = "▸ " if step.id == entry.id else ""
        head = f"{mark}{say.long_age(step.moment, now)}{say.by(step)} · {step.id}"
        if before is None:
            rows.append(Strip([Segment(clean_line(f"{head} · the first"), look.strong)]))
            rows += [Strip([Segment("    ", look.rule), *row]) for row in wrapped(step.content, width - 4, look.dim)]
            continue
        changes = diff_texts(before.content, step.content, head)
        if not changes.files:
            rows.append(Strip([Segment(clean_line(f"{head} · {_other_changes(before, step)}"), look.strong)]))
            continue
        layout = DiffLayout(changes, width, diff)
        rows += [layout.strip(row) for row in range(layout.height)]
    if len(chain) > MOST_STEPS:
        rows.append(Strip([Segment(f"  … {len(chain) - MOST_STEPS:,} older versions", look.dim)]))
    return rows


def _other_changes(before: KnowledgeEntry, after: KnowledgeEntry) -> str:
    changed = [
        *([f"{before.type} → {after.type}"] if before.type != after.type else []),
        *([f"{before.confidence:g} → {after.confidence:g}"] if before.confidence != after.confidence else []),
        *(["other tags"] if before.tags != after.tags else []),
    ]
    return ", ".join(changed) or "the same words"
