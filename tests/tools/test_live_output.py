"""Live words: the first at once, the others together, the last before the end."""

import asyncio

from diligent_tui.tools.live_output import LONGEST_PIECE_CHARS, LiveOutput


async def test_the_first_piece_is_shown_at_once_and_the_next_ones_together() -> None:
    said: list[str] = []
    live = LiveOutput(said.append)
    for letter in "abc":
        live.feed(letter)
    assert said == ["a"]
    while len(said) < 2:
        await asyncio.sleep(0.01)
    live.close()
    assert said == ["a", "bc"]


async def test_what_waits_is_shown_at_the_end_and_nothing_twice() -> None:
    said: list[str] = []
    live = LiveOutput(said.append)
    live.feed("a")
    live.feed("b")
    live.close()
    live.close()
    assert said == ["a", "b"]


async def test_of_a_flood_the_newest_part_is_shown_and_the_rest_counted() -> None:
    said: list[str] = []
    live = LiveOutput(said.append)
    live.feed("a")
    for _ in range(10):
        live.feed("x" * LONGEST_PIECE_CHARS)
    live.feed("end")
    live.close()
    assert said[1].startswith(f"\n[… {9 * LONGEST_PIECE_CHARS + 3:,} characters went by …]\nx")
    assert said[1].endswith("xend")
