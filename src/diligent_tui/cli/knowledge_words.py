"""Prints knowledge entries: as lines for people, as one object a line for programs."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry, encode_knowledge
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.domain.times import to_stamp
from diligent_tui.knowledge.views import KnownEntry, Overview
from diligent_tui.ui import format as fmt

CONTENT_CHARS = 100
FACT_CHARS = 12


def print_entries(entries: Sequence[KnownEntry], overview: Overview, *, as_json: bool) -> None:
    """One line for each entry in the order given, and how full the budget is."""
    if as_json:
        sys.stdout.writelines(json.dumps(object_of(known)) + "\n" for known in entries)
        return
    if not entries:
        sys.stdout.write("Nothing is known here.\n" if not overview.entries else "Nothing known fits that.\n")
    now = datetime.now(UTC)
    sys.stdout.writelines(_line(known, now) + "\n" for known in entries)
    if entries:
        told = sum(known.is_told for known in overview.live)
        sys.stdout.write(
            f"{told} told, {len(overview.live) - told} found no room; "
            f"{overview.tokens:,} of {overview.budget_tokens:,} tokens.\n"
        )
    if overview.damaged:
        sys.stdout.write(f"{fmt.count(overview.damaged, 'damaged line')}, kept where they are.\n")


def print_entry(known: KnownEntry, chain: Sequence[KnowledgeEntry], *, as_json: bool) -> None:
    """All that is known of one entry, with the chain it belongs to."""
    if as_json:
        history = [{"id": entry.id, "content": entry.content, "timestamp": _stamp(entry)} for entry in chain]
        sys.stdout.write(json.dumps({**object_of(known), "history": history}) + "\n")
        return
    entry = known.entry
    facts = [
        ("id", entry.id),
        ("type", entry.type),
        ("scope", entry.scope),
        ("state", _state(known)),
        ("saved", _stamp(entry)),
        ("by", entry.author or "unknown"),
        ("tags", ", ".join(entry.tags)),
        ("learnt in", " ".join(filter(None, (entry.session_id, entry.entry_id)))),
    ]
    if score := known.score:
        factors = f"confidence {score.confidence:.2f} × recency {score.recency:.2f} × weight {score.type_weight:.1f}"
        facts.append(("score", f"{score.total:.3f} = {factors} (half-life {score.half_life_days:.0f} days)"))
    lines = [clean(entry.content), ""]
    lines += [f"  {name:<{FACT_CHARS}}  {clean_line(value)}" for name, value in facts if value]
    if len(chain) > 1:
        lines += ["", "  history, oldest first:"]
        lines += [f"  {'>' if each.id == entry.id else ' '} {each.id}  {_short(each)}" for each in chain]
    sys.stdout.write("\n".join(lines) + "\n")


def print_stats(overview: Overview, waiting: int, *, as_json: bool) -> None:
    """How many entries there are of each kind, and the room they take."""
    fates = Counter(known.fate for known in overview.entries)
    kinds = Counter(known.entry.type for known in overview.live)
    scopes = Counter(known.entry.scope for known in overview.live)
    told = sum(known.is_told for known in overview.live)
    figures: JsonObject = {
        "live": fates["live"],
        "superseded": fates["superseded"],
        "retracted": fates["retracted"],
        "pinned": sum(known.pinned for known in overview.live),
        "told": told,
        "below": len(overview.live) - told,
        "tokens": overview.tokens,
        "budgetTokens": overview.budget_tokens,
        "waiting": waiting,
        "damaged": overview.damaged,
    }
    by_type = {kind: kinds[kind] for kind in KNOWLEDGE_TYPES}
    if as_json:
        said = {**figures, "types": by_type, "scopes": {name: scopes[name] for name in ("project", "user")}}
        sys.stdout.write(json.dumps(said) + "\n")
        return
    rows = [*figures.items(), *by_type.items(), ("project", scopes["project"]), ("user", scopes["user"])]
    sys.stdout.writelines(f"{name:<{FACT_CHARS}}  {value:>7,}\n" for name, value in rows)


def object_of(known: KnownEntry) -> JsonObject:
    """The entry as an object: as it stands in the file, with what became of it and its score."""
    score = known.score
    return {
        **encode_knowledge(known.entry),
        "state": known.fate,
        "told": known.is_told,
        "pinned": known.pinned,
        "supersededBy": list(known.superseded_by),
        "score": score.total if score else None,
        "factors": {
            "confidence": score.confidence,
            "recency": score.recency,
            "typeWeight": score.type_weight,
            "halfLifeDays": score.half_life_days,
            "ageDays": score.age_days,
        }
        if score
        else None,
    }


def _line(known: KnownEntry, now: datetime) -> str:
    entry = known.entry
    mark = "*" if known.pinned else "+" if known.is_told else "-" if known.fate == "live" else "x"
    score = f"{known.score.total:.2f}" if known.score else "  – "
    age = fmt.age((now - entry.moment).total_seconds())
    reach = "user " if entry.scope == "user" else ""
    return f"{mark} {entry.id:<8}  {entry.type:<10}  {age:>10}  {score}  {reach}{_short(entry)}"


def _state(known: KnownEntry) -> str:
    if known.fate == "superseded":
        return f"superseded by {', '.join(known.superseded_by)}"
    if known.fate == "retracted":
        return "retracted"
    return ("pinned, " if known.pinned else "") + ("told to the model" if known.is_told else "found no room")


def _short(entry: KnowledgeEntry) -> str:
    return clean_line(entry.content, CONTENT_CHARS)


def _stamp(entry: KnowledgeEntry) -> str:
    return to_stamp(entry.moment)
