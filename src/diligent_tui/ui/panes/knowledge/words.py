"""Words and numbers of the knowledge pane: short types, ages and scores, and sentences about an entry."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgeType
from diligent_tui.knowledge.views import Damage, KnownEntry
from diligent_tui.ui import format as fmt

SHORT_TYPES: Mapping[KnowledgeType, str] = MappingProxyType(
    {"pattern": "pat", "decision": "dec", "discovery": "dis", "preference": "pre", "correction": "cor"}
)
PINNED, USER_WIDE, LEFT_BRANCH, NEW, SUPERSEDED, RETRACTED = "◆", "~", "⎇", "+", "→", "✗"
SECONDS_OF = ((86_400, "d"), (3_600, "h"), (60, "m"))
MOST_DAYS = 999
MUCH_THE_SAME = 0.9
DAYS_OF_A_YEAR = 365
EMPTY = "Nothing is kept across sessions yet.\nThe agent saves what lasts; so can you."
EMPTY_INBOX = "No candidate waits.\nCompaction and /learn put here what may be worth keeping."


def short_age(moment: datetime, now: datetime) -> str:
    """How old, in four cells at most: now, 5m, 3h, 12d."""
    seconds = (now - moment).total_seconds()
    for size, unit in SECONDS_OF:
        if seconds >= size:
            return f"{int(seconds // size)}{unit}" if seconds < MOST_DAYS * SECONDS_OF[0][0] else "old"
    return "now"


def long_age(moment: datetime, now: datetime) -> str:
    """How long ago, in words."""
    return fmt.age((now - moment).total_seconds())


def part(value: float) -> str:
    """A factor or a score: .80, 1.42."""
    return f"{value:.2f}".removeprefix("0")


def alikeness(similarity: float) -> str:
    """How much alike two entries are, from 0 to 1; near the top a figure would promise that no word differs."""
    return "much the same" if similarity >= MUCH_THE_SAME else f"{fmt.percent(100 * similarity)} alike"


def by(entry: KnowledgeEntry) -> str:
    """Who wrote an entry, if that is known."""
    match entry.author:
        case "user":
            return " by you"
        case "model":
            return " by the agent"
        case None:
            return ""


def days(value: float) -> str:
    """An age in days, in hours below one, or in years."""
    if value >= 2 * DAYS_OF_A_YEAR:
        return f"{value / DAYS_OF_A_YEAR:.0f} years"
    if value >= 1:
        return f"{value:.0f} d"
    return f"{value * 24:.0f} h" if value * 24 >= 1 else "under an hour"


def standing(known: KnownEntry) -> str:
    """Where an entry stands now, in words."""
    match known.fate:
        case "superseded":
            return f"superseded by {', '.join(known.superseded_by)}; no longer told"
        case "retracted":
            return "retracted; no longer told"
        case "live":
            return "told to the model" if known.is_told else "below the budget line: found by search only"


def damage_said(damage: Damage) -> str:
    """What is damaged and that nothing of it is lost; nothing if nothing is."""
    if not damage.total:
        return ""
    files = [
        f"{count:,} in {name}"
        for count, name in (
            (damage.project, "the project's file"),
            (damage.user, "your own file"),
            (damage.inbox, "the inbox"),
        )
        if count
    ]
    where = f": {', '.join(files)}" if len(files) > 1 else f" {files[0].partition(' ')[2]}"
    return f"⚠ {fmt.count(damage.total, 'damaged line')} kept{where}"
