"""Where a search in the chat is, in a few words and the keys that go on from there."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.key_line import render_keys

if TYPE_CHECKING:
    from diligent_tui.ui.widgets.virtual_log import Standing

WORDS_CHARS = 24
KEYS = (("n", "next"), ("N", "previous"))
END = ("esc", "ends")


def search_words(words: str, standing: "Standing", keymap: Mapping[str, str] = OUR_KEYS) -> Content:
    """Such as: 3 of 17 “loader”."""
    sought = f"“{clean_line(words, WORDS_CHARS)}”"
    if standing.number == 0:
        return Content.assemble((f"{sought} is nowhere in the chat", "$memory"), "  ", render_keys((END,)))
    more = "" if standing.is_counted else "+"
    place = f"{standing.number:,} of {standing.count:,}{more} {sought}"
    if standing.went_round:
        end = "first" if standing.number == 1 else "last"
        place += ", the only one" if standing.count == 1 else f", the {end} again"
    return Content.assemble((place, "$dim"), "  ", render_keys((*hints_now(KEYS, "log", keymap), END)))
