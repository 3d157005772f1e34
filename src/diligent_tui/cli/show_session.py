"""Prints one session: what is known of it, and its tree in plain text."""

import json
import sys

from diligent_tui.domain.times import from_stamp, to_stamp
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.outline import OutlineRow, tips
from diligent_tui.session.export.survey import Survey, survey
from diligent_tui.session.store import SessionStore
from diligent_tui.ui.format import count

ID_CHARS = 8
FACT_CHARS = 12


def print_session(store: SessionStore, mask: Mask, more_fit: int, *, as_json: bool) -> None:
    """Facts, totals and damage first, then a line for each entry; those of the current path are marked."""
    found = survey(store, mask)
    current = {node.id for node in store.tree.path(store.tree.leaf_id)}
    if as_json:
        sys.stdout.write(json.dumps(_object(store, found, current, more_fit)) + "\n")
        return
    lines = [found.title]
    lines += [f"  {name.lower():<{FACT_CHARS}}  {value}" for name, value in found.facts]
    if found.damage:
        lines.append(f"  {'damage':<{FACT_CHARS}}  {found.damage}")
    if more_fit:
        lines.append(f"  {count(more_fit, 'more session')} fit{'s' if more_fit == 1 else ''} these words.")
    lines.append("")
    lines += [_line(row, found, row.node.id in current) for row in found.rows]
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _line(row: OutlineRow, found: Survey, is_current: bool) -> str:
    headline = found.headlines[row.node.id]
    label = found.labels.get(row.node.id, "")
    sign = f"⎇ {headline.sign}" if row.begins_branch else headline.sign
    words = f"[{label}] {headline.words}" if label else headline.words
    orphan = "  (its parent was lost)" if row.node.is_orphan else ""
    return f"{found.ids[row.node.id]:<{ID_CHARS}} {'▌' if is_current else ' '} {'  ' * row.depth}{sign} {words}{orphan}"


def _object(store: SessionStore, found: Survey, current: set[str], more_fit: int) -> dict[str, object]:
    header, damage = store.content.header, store.content.damage
    begun = from_stamp(header.timestamp)
    return {
        "id": store.path.stem,
        "title": found.title,
        "name": store.content.name or None,
        "begun": to_stamp(begun) if begun else None,
        "version": header.version,
        "parentSession": header.parent_session,
        "leafId": store.tree.leaf_id,
        "branches": tips(found.rows),
        "tokens": found.tokens,
        "cost": found.cost,
        "compactions": found.compactions,
        "damage": {
            "lines": damage.lines,
            "orphans": damage.orphans,
            "repeated": damage.repeated,
            "headerIsMissing": damage.header_is_missing,
        },
        "moreFit": more_fit,
        "tree": [
            {
                "id": row.node.id,
                "parentId": row.parent_id,
                "type": row.node.type,
                "role": row.node.role,
                "depth": row.depth,
                "isCurrent": row.node.id in current,
                "isOrphan": row.node.is_orphan,
                "label": found.labels.get(row.node.id),
                "text": found.headlines[row.node.id].words,
            }
            for row in found.rows
        ],
    }
