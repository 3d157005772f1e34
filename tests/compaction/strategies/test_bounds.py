"""Whatever the history and whatever the model says: bounded entries, valid requests, and a context that fits."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.planning import Plan, facts_for
from diligent_tui.compaction.strategies.base import Job, NotWorthIt, Writer, Written
from diligent_tui.compaction.strategies.ladder import MOST_CHUNKS
from diligent_tui.compaction.strategies.writing import write_with_model, write_without_model
from diligent_tui.domain.entries import PruneEntry, encode_entry
from diligent_tui.domain.errors import ContextOverflow, Unavailable
from diligent_tui.domain.models import Model
from diligent_tui.providers.base import Piece
from diligent_tui.providers.offline.counting import measure
from diligent_tui.providers.wire import check_request
from tests.compaction.strategies.stage import CANDIDATES, GOOD, POLICY, Script, called, failed, said
from tests.strategies.conversations import MAKER, Conversation, Turn, tokens_at, turns

ANSWERS: Sequence[Sequence[Piece]] = (
    said(GOOD + CANDIDATES),
    said(GOOD + "## This Turn So Far\n" + "- It was read.\n" * 90),
    said(GOOD.replace("### Done\n", "### Done\n" + "- One thing more was done, and then another.\n" * 90)),
    said(GOOD + "- and a/made/up.py\n" * 900),
    said("## Goal\n" + "- " + "日本語" * 9_000 + "\n## Progress\n- done\n"),
    said("word " * 9_000),
    said(""),
    called(),
    failed(ContextOverflow("too long")),
    failed(Unavailable("gone")),
)
SHARES = (0.0, 0.01, 0.1, 0.6, 5.0)
MOST_PATHS_BYTES = 2 * POLICY.most_details * 60
FRAME_BYTES = 2_000


@settings(max_examples=40, deadline=None)
@given(
    st.lists(turns(SHARES, (0.0, 0.001, 0.02, 0.1)), min_size=2, max_size=9),
    st.sampled_from((8_000, 12_000, 24_000)),
    st.sampled_from((0.0, 0.2, 0.6)),
    st.sampled_from((2.0, 3.0, 4.5)),
    st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3),
    st.sampled_from((True, True, True, False)),
)
def test_entries_are_bounded_requests_fit_and_so_does_the_result(
    played: list[Turn],
    window: int,
    overhead_share: float,
    bytes_per_token: float,
    answers: list[Sequence[Piece]],
    is_by_model: bool,
) -> None:
    made = Conversation(int(window * bytes_per_token))
    for turn in played:
        made.play(turn)
    tokens_of, overhead = tokens_at(bytes_per_token), int(window * overhead_share)
    for _ in range(2):
        plan = made.plan(tokens_of, window, overhead)
        if isinstance(plan, Refusal):
            return
        anchor = made.session.append(PruneEntry(items=plan.squeeze.items)).id
        script = Script(answers)
        model = Model(*MAKER, window_tokens=window, max_output_tokens=8_000)
        sizes = made.sizes(tokens_of)
        facts = facts_for(plan, sizes, POLICY)
        job = Job(plan, facts, sizes, POLICY, Writer(model, window, script.ask), "manual", anchor_id=anchor)
        try:
            written = asyncio.run((write_with_model if is_by_model else write_without_model)(job))
        except NotWorthIt:
            assert script.requests == []
            return
        check(written, plan, script, window, overhead, bytes_per_token)
        made.session.append(written.entry)
        made.play(played[0])


def check(written: Written, plan: Plan, script: Script, window: int, overhead: int, bytes_per_token: float) -> None:
    entry = written.entry
    assert (entry.tokens_after or 0) <= overhead + POLICY.result_share_of_room * (window - overhead)
    parts = plan.budgets.summary_tokens + plan.budgets.ledger_tokens + plan.budgets.prefix_tokens
    assert len(str(encode_entry(entry))) <= parts * bytes_per_token * 1.2 + MOST_PATHS_BYTES + FRAME_BYTES
    assert entry.summary.strip()
    assert written.coverage.counts() == entry.coverage
    assert len(script.requests) <= 2 * MOST_CHUNKS + 5
    for request in script.requests:
        assert check_request(request) == []
        assert measure(request).tokens + request.max_output_tokens <= window
