"""How a summary that is too long is made to fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.compaction.sections import DONE, GOAL, sections_in
from diligent_tui.compaction.strategies.shortening import shorten_done, shorten_summary
from diligent_tui.domain.estimator import utf8_size
from tests.compaction.strategies.stage import GOOD, TOKENS_OF

LINES = "".join(f"- {number} was done\n  and this belongs to it\n" for number in range(20))
LONG = GOOD.replace("### Done\n", f"### Done\n{LINES}")


def size(text: str) -> int:
    return TOKENS_OF(utf8_size(text))


def test_the_oldest_things_done_go_with_all_that_belongs_to_them() -> None:
    short = shorten_done(LONG, size(LONG) - 30, TOKENS_OF)
    assert size(short) <= size(LONG) - 30
    done = sections_in(short)[DONE]
    assert done[0] == "3 was done"
    assert done.count("and this belongs to it") == 17
    assert {name: lines for name, lines in sections_in(short).items() if name != DONE} == {
        name: lines for name, lines in sections_in(LONG).items() if name != DONE
    }


def test_nothing_is_dropped_where_what_is_done_would_not_be_enough() -> None:
    assert shorten_done(LONG, size(GOOD) // 2, TOKENS_OF) == LONG


@pytest.mark.parametrize("share", [0.9, 0.5, 0.3])
def test_beyond_that_the_beginning_of_the_goal_stays(share: float) -> None:
    short = shorten_summary(GOOD, int(size(GOOD) * share), TOKENS_OF)
    assert size(short) <= size(GOOD) * share
    assert sections_in(short)[GOAL] == sections_in(GOOD)[GOAL]


@given(st.text(alphabet="#-* \nGoalDoneé日x", max_size=600), st.integers(0, 300))
def test_any_text_fits_afterwards(text: str, most_tokens: int) -> None:
    short = shorten_summary(text, most_tokens, TOKENS_OF)
    assert size(short) <= most_tokens
