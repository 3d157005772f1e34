"""One look over a whole session before it is exported: what stands at its head, and each entry in one line."""

from dataclasses import dataclass
from datetime import UTC
from pathlib import PurePath

from diligent_tui.domain.entries import CompactionEntry, MessageEntry, ModelChangeEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.domain.times import Stamp, from_stamp
from diligent_tui.domain.usage import Usage
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.outline import OutlineRow, outline, tips
from diligent_tui.session.export.parts import Headline, Teller
from diligent_tui.session.reading import Damage
from diligent_tui.session.store import SessionStore

TITLE_CHARS = 120
ID_CHARS = 40


@dataclass(frozen=True, slots=True)
class Survey:
    """The session at a glance; all words are clean and masked."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """What is known of the session, each with its name; no path of the machine."""
    damage: str
    rows: tuple[OutlineRow, ...]
    headlines: dict[str, Headline]
    labels: dict[str, str]
    ids: dict[str, str]
    """The ids as they can be shown."""
    tokens: int
    cost: float | None
    compactions: int


def survey(store: SessionStore, mask: Mask, tell: Tell = tell_nobody) -> Survey:
    """Read every entry once and keep little of each."""
    teller = Teller(mask)
    headlines: dict[str, Headline] = {}
    models: dict[str, None] = {}
    usage = Usage()
    compactions = 0
    rows = tuple(outline(store.tree))
    wanted = {row.node.id for row in rows}
    for number, entry_id in enumerate(store.tree.nodes):
        tell(number, len(store.tree.nodes))
        if entry_id not in wanted:
            continue
        entry = store.read(entry_id)
        headlines[entry_id] = teller.headline(entry)
        match entry:
            case ModelChangeEntry():
                models[f"{entry.provider}/{entry.model_id}"] = None
            case MessageEntry(message=AssistantMessage() as message):
                usage += message.usage or Usage()
            case CompactionEntry():
                compactions += not entry.supersedes
            case _:
                pass
    totals = store.content.totals
    tokens = totals.tokens if totals and totals.tokens is not None else usage.context_tokens
    cost = totals.cost if totals else None
    prompt = next((headlines[row.node.id].words for row in rows if row.node.is_prompt), "")

    def shown(text: str) -> str:
        return clean_line(mask.text(text), TITLE_CHARS)

    header = store.content.header
    facts = {
        "Session": shown(store.path.stem),
        "Begun": moment(header.timestamp),
        "Project": shown(PurePath(header.cwd).name),
        "Forked from": shown(header.parent_session or ""),
        "Model": shown(", ".join(models)),
        "Entries": f"{len(rows):,}",
        "Branches": f"{tips(rows):,}",
        "Tokens": f"{tokens:,}" if tokens else "",
        "Cost": "" if cost is None else f"${cost:.2f}",
        "Compactions": str(compactions) if compactions else "",
        "File version": "" if header.version == 2 else str(header.version),
    }
    return Survey(
        title=shown(store.content.name) or prompt or "A session without a prompt",
        facts=tuple((name, value) for name, value in facts.items() if value),
        damage=damage_sentence(store.content.damage, len(rows)),
        rows=rows,
        headlines=headlines,
        labels={target: shown(label) for target, label in store.content.labels.items()},
        ids={row.node.id: clean_line(row.node.id, ID_CHARS) for row in rows},
        tokens=tokens,
        cost=cost,
        compactions=compactions,
    )


def damage_sentence(damage: Damage, recovered: int) -> str:
    """What was lost, in one sentence; nothing if all is well."""
    if not damage:
        return ""
    told = [
        f"{damage.lines:,} damaged line{'' if damage.lines == 1 else 's'}" if damage.lines else "",
        f"{damage.orphans:,} without their parent" if damage.orphans else "",
        "no header" if damage.header_is_missing else "",
    ]
    return f"Recovered {recovered:,} entries: {', '.join(filter(None, told))}."


def moment(stamp: Stamp | None) -> str:
    """A stamp for people, in UTC; nothing if it means no time."""
    when = from_stamp(stamp)
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if when else ""
