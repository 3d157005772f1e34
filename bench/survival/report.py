"""Tells a run: a table for each window, where the product is not the best and why, and all of it as data."""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from bench.survival.drift import drift_of
from bench.survival.estimates import SizeErrors
from bench.survival.faults import Faulted
from bench.survival.measuring import EQUAL_CUT, OURS, Measured
from bench.survival.precision import Precision
from bench.survival.probes import KINDS
from bench.survival.recall import Searched
from bench.survival.replay import Played
from diligent_tui.domain.json_objects import JsonObject

COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "needed_path": "path",
        "needed_ident": "ident",
        "needed_literal": "literal",
        "files_modified": "modified",
        "files_read": "read",
        "errors": "errors",
        "user_rules": "user",
        "user_lenient": "user~",
        "todo": "todo",
    }
)
HEADLINE = ("needed_path", "needed_ident", "needed_literal", "files_modified")
NO_PEER = frozenset({"none"})
"""Keeps everything, so it is no rival."""
WHY: Mapping[str, str] = MappingProxyType(
    {
        "needed_path": "a path that an old output showed once and nobody touched is in no ledger",
        "needed_ident": "names out of old outputs are not kept unless the agent itself used them",
        "needed_literal": "addresses and versions are kept only where summary or user's words have them",
        "files_modified": "a file is listed under the name that was used; lists are bounded by their budget",
        "files_read": "a file is listed under the name that was used; lists are bounded by their budget",
        "errors": "an error that is gone gives way to open ones, and ledgers have a budget",
        "user_rules": "a text that is too long for its share is kept in its rules, its first and its last lines",
        "user_lenient": "a text that is too long for its share is kept in its rules, its first and its last lines",
        "todo": "the list is carried on only as it was written last",
        "context": "ledgers and a longer tail take room on purpose",
        "cache hit": "pruning breaks the cache in the middle, which a policy with fewer breaks does not pay",
        "cost": "a larger context is read again with every request",
        "calls": "a policy without a model asks nobody",
        "stale": "the protected tail keeps reads of files that were changed after them",
    }
)


def tables(measured: Sequence[Measured]) -> str:
    """The figures of every window, policy by policy."""
    return "\n\n".join("\n".join(_table(each)) for each in measured if each.sessions)


def shortfalls(measured: Sequence[Measured]) -> str:
    """Where another policy does better than the product, and why."""
    return "\n".join(line for each in measured for line in _shortfalls(each))


def asides(
    errors: Sequence[SizeErrors], precision: Precision, faulted: Sequence[Faulted], measured: Sequence[Measured]
) -> str:
    """What else was measured, a line each."""
    lines: list[str] = []
    for each in measured:
        for name in ("product", "plain"):
            searched: Searched = getattr(each.recalled, name)
            if searched.asked:
                lines.append(
                    f"recall {each.window_tokens // 1000}k, {name}: n {searched.asked}, hit@1 "
                    f"{_percent(searched.first, searched.asked)}, hit@5 "
                    f"{_percent(searched.among_five, searched.asked)}, {searched.tokens / searched.asked:.0f} tokens"
                )
    lines += [
        f"size {each.name}: n {len(each.errors)}, median {each.median:.2%}, p95 {each.p95:.2%}" for each in errors
    ]
    lines += [
        f"precision {kind}: n {found}, {_percent(precision.right[kind], found)} borne out"
        for kind, found in precision.found.items()
    ]
    lines += [
        f"summariser {each.fault}: {each.compactions} compactions in {each.calls} calls, invalid {each.invalid}, "
        f"over the window {each.over_window}, ledgers {each.ledger_share:.0%} (whole: {each.whole_share:.0%})"
        for each in faulted
    ]
    return "\n".join(lines)


def as_data(
    measured: Sequence[Measured], errors: Sequence[SizeErrors], precision: Precision, faulted: Sequence[Faulted]
) -> JsonObject:
    """All figures of a run."""
    return {
        "windows": [_window_data(each) for each in measured],
        "sizes": [
            {"name": each.name, "n": len(each.errors), "median": each.median, "p95": each.p95} for each in errors
        ],
        "precision": {kind: {"n": found, "right": precision.right[kind]} for kind, found in precision.found.items()},
        "faults": [
            {
                "fault": each.fault,
                "compactions": each.compactions,
                "calls": each.calls,
                "invalid": each.invalid,
                "overWindow": each.over_window,
                "ledgerShare": each.ledger_share,
                "wholeShare": each.whole_share,
            }
            for each in faulted
        ],
    }


def headline(played: Played) -> float:
    """The mean of the needed classes and of files modified, of those that were asked for."""
    shares = [share for kind in HEADLINE if (share := played.tally.share(kind)) is not None]
    return sum(shares) / len(shares) if shares else math.nan


def _table(measured: Measured) -> Iterator[str]:
    asked = next(iter(measured.played.values())).tally.asked
    counts = ", ".join(f"{COLUMNS[kind]} {asked[kind]}" for kind in KINDS if asked.get(kind))
    yield f"window {measured.window_tokens:,}: {measured.sessions} sessions, {measured.checkpoints} checkpoints; asked:"
    yield f"  {counts}"
    kinds = [kind for kind in COLUMNS if asked.get(kind)]
    rows = [["policy", "ctx", "peak", "hit", "cost", "over", "bad", "calls", "stale", "head"]]
    rows[0] += [COLUMNS[kind] for kind in kinds] + ["loss"]
    none = measured.played.get("none")
    for name, played in measured.played.items():
        rows.append(_row(name, played, none, kinds))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )


def _row(name: str, played: Played, none: Played | None, kinds: Sequence[str]) -> list[str]:
    context = sum(played.context_tokens)
    is_whole = bool(played.requests)
    loss = drift_of(played.drift).loss_points
    return [
        name,
        f"{context / max(1, len(played.context_tokens)) / 1000:.1f}k",
        f"{played.peak_tokens / 1000:.0f}k" if is_whole else "",
        f"{played.hit_tokens / played.input_tokens:.1%}" if is_whole else "",
        f"{played.cost / none.cost:.3f}" if is_whole and none else "",
        f"{played.over_window / played.requests:.1%}" if is_whole else "",
        str(played.invalid) if is_whole else "",
        str(played.calls) if is_whole else "",
        f"{played.stale_tokens / max(1, context):.1%}" if is_whole else "",
        f"{100 * headline(played):.0f}",
        *(f"{100 * share:.0f}" if (share := played.tally.share(kind)) is not None else "" for kind in kinds),
        "" if math.isnan(loss) else f"{loss:.1f}",
    ]


def _shortfalls(measured: Measured) -> Iterator[str]:
    ours = measured.played.get(OURS)
    if ours is None or not ours.requests:
        return
    rivals = {name: played for name, played in measured.played.items() if name not in NO_PEER | {OURS, EQUAL_CUT}}
    at = f"{measured.window_tokens // 1000}k"
    own = dict(_merits(ours))
    for merit, value in own.items():
        better = {name: dict(_merits(played))[merit] for name, played in rivals.items() if played.requests}
        best = max(better, key=lambda name: better[name], default=None)
        if best is not None and better[best] > value + 1e-9:
            yield f"{at} {merit}: {best} is better ({abs(better[best]):.4g} to {abs(value):.4g}): {WHY[merit]}"


def _merits(played: Played) -> Iterator[tuple[str, float]]:
    """Figures of which more is better; costs count as negative."""
    for kind in COLUMNS:
        if (share := played.tally.share(kind)) is not None:
            yield kind, 100 * share
    context = sum(played.context_tokens)
    yield "context", -context / max(1, len(played.context_tokens))
    yield "cache hit", 100 * played.hit_tokens / max(1, played.input_tokens)
    yield "cost", -played.cost
    yield "calls", -float(played.calls)
    yield "stale", -100 * played.stale_tokens / max(1, context)


def _window_data(measured: Measured) -> JsonObject:
    product, plain = measured.recalled.product, measured.recalled.plain
    return {
        "window": measured.window_tokens,
        "sessions": measured.sessions,
        "checkpoints": measured.checkpoints,
        "policies": {name: _played_data(played) for name, played in measured.played.items()},
        "recall": {
            "ids": measured.recalled.ids,
            "identical": measured.recalled.identical,
            "product": _searched_data(product),
            "plain": _searched_data(plain),
        },
    }


def _played_data(played: Played) -> JsonObject:
    drift = drift_of(played.drift)
    return {
        "requests": played.requests,
        "inputTokens": played.input_tokens,
        "hitTokens": played.hit_tokens,
        "peakTokens": played.peak_tokens,
        "overWindow": played.over_window,
        "invalid": played.invalid,
        "flaws": played.flaws,
        "compactions": played.compactions,
        "calls": played.calls,
        "fedTokens": played.fed_tokens,
        "cost": played.cost,
        "contextTokens": played.context_tokens,
        "staleTokens": played.stale_tokens,
        "asked": played.tally.asked,
        "held": played.tally.held,
        "drift": {
            "held": [list(pair) for pair in drift.held],
            "lossPoints": None if math.isnan(drift.loss_points) else drift.loss_points,
            "halfLife": None if math.isinf(drift.half_life) else drift.half_life,
        },
        "lost": [
            {"session": session, "checkpoint": share, "kind": probe.kind, "text": probe.text}
            for session, share, probe in played.lost
        ],
    }


def _searched_data(searched: Searched) -> JsonObject:
    return {
        "asked": searched.asked,
        "first": searched.first,
        "amongFive": searched.among_five,
        "tokens": searched.tokens,
    }


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
