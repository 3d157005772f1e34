"""What is told of a version: its name, its state, what it saved, where it came from."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from diligent_tui.compaction.views import Version, VersionState
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import from_stamp
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.summary.live import REASONS

EDITED = "edit"
"""The reason of a version that a person wrote."""
STATE_MARKS: Mapping[VersionState, str] = MappingProxyType(
    {"active": "●", "superseded": "○", "covered": "◦", "undone": "↶"}
)
STATE_WORDS: Mapping[VersionState, str] = MappingProxyType(
    {"active": "active", "superseded": "replaced", "covered": "summarised again", "undone": "undone"}
)
WORD_CHARS = 40
FOCUS_CHARS = 80


def name_of(version: Version) -> str:
    """Number and revision, such as 2.1."""
    return f"{version.number}.{version.revision}"


def sizes_of(entry: CompactionEntry) -> str:
    """Tokens before and after, such as 142k → 28k."""
    return f"{fmt.tokens(entry.tokens_before or None)} → {fmt.tokens(entry.tokens_after)}"


def saving_of(entry: CompactionEntry) -> str:
    """What it saved, such as −80 %; nothing if that is not known."""
    if not entry.tokens_before or entry.tokens_after is None:
        return ""
    saved = 100 * (entry.tokens_before - entry.tokens_after) / entry.tokens_before
    return f"−{saved:.0f} %" if saved >= 0 else f"+{-saved:.0f} %"


def age_of(entry: CompactionEntry, now: datetime) -> str:
    """How long ago it was made."""
    moment = from_stamp(entry.timestamp)
    return "–" if moment is None else fmt.age(max(0.0, (now - moment).total_seconds()))


def moment_of(entry: CompactionEntry) -> str:
    """Exactly when it was made."""
    moment = from_stamp(entry.timestamp)
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"


def origin_of(version: Version) -> str:
    """Who or what made it, and why."""
    entry = version.entry
    if entry.reason == EDITED:
        return "edited by you"
    reason = entry.reason or ""
    # Where room is short the end is cut, and why it was made tells more than how.
    told = REASONS.get(reason, clean_line(reason, WORD_CHARS))
    strategy = f"strategy {clean_line(entry.strategy, WORD_CHARS)}" if entry.strategy else ""
    words = [word for word in (told, strategy) if word]
    if entry.focus:
        words.append(f"focus: {clean_line(entry.focus, FOCUS_CHARS)}")
    return " · ".join(words)


def active_of(versions: Sequence[Version]) -> Version | None:
    """The version in force."""
    return next((version for version in reversed(versions) if version.state == "active"), None)


def before(versions: Sequence[Version], version: Version) -> Version | None:
    """The version that this one took the place of: the one it was made from, else the newest before it."""
    chain = [known for known in versions if known.chain_id == version.chain_id and known.revision < version.revision]
    if chain:
        return max(chain, key=lambda known: known.revision)
    earlier = [known for known in versions if known.number < version.number and known.state != "undone"]
    return max(earlier, key=lambda known: (known.number, known.revision), default=None)
