"""Decoded entries stay in memory while they are used, and never more of them than fit."""

import pytest

from diligent_tui.session.decoded import ENTRY_BYTES, TEXT_FACTOR, DecodedEntries
from tests.session.drafts import said

LINE_BYTES = 1_000
HELD_BYTES = TEXT_FACTOR * LINE_BYTES + ENTRY_BYTES


def filled(names: str, most_entries: int) -> DecodedEntries:
    """Entries of equal size, and room for so many."""
    decoded = DecodedEntries(most_entries * HELD_BYTES)
    for name in names:
        decoded.keep(said(name, None), LINE_BYTES)
    return decoded


def held(decoded: DecodedEntries, names: str) -> str:
    """Which of these are here."""
    return "".join(name for name in names if decoded.get(name))


@pytest.mark.parametrize(
    ("names", "most_entries", "kept"), [("ab", 3, "ab"), ("abc", 3, "abc"), ("abcde", 3, "cde"), ("abacd", 3, "acd")]
)
def test_the_longest_unused_goes_first(names: str, most_entries: int, kept: str) -> None:
    assert held(filled(names, most_entries), "abcde") == kept


def test_what_is_asked_for_stays_longer() -> None:
    decoded = filled("abc", 3)
    assert decoded.get("a")
    decoded.keep(said("d", None), LINE_BYTES)
    assert held(decoded, "abcd") == "acd"


def test_an_entry_counts_once_however_often_it_is_kept() -> None:
    decoded = filled("aaaa", 3)
    assert (len(decoded), decoded.held_bytes) == (1, HELD_BYTES)


def test_many_short_entries_weigh_as_much_as_few_long_ones() -> None:
    decoded = DecodedEntries(100 * ENTRY_BYTES)
    for number in range(1_000):
        decoded.keep(said(f"{number}", None), 0)
    assert len(decoded) == 100


def test_one_entry_that_is_larger_than_all_the_room_is_kept_alone() -> None:
    decoded = filled("abc", 3)
    decoded.keep(said("d", None), 1_000_000)
    assert held(decoded, "abcd") == "d"
    decoded.keep(said("e", None), LINE_BYTES)
    assert held(decoded, "abcde") == "e"
