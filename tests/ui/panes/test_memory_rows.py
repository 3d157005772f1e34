"""The rows of memory in the chat say what became of a compaction since."""

from typing import get_args

import pytest

from diligent_tui.compaction.views import VersionState
from diligent_tui.ui.panes.chat import chat_look
from diligent_tui.ui.panes.chat.memory_rows import SINCE, draw_note
from diligent_tui.ui.transcript import MemoryDeed, MemoryNote

SUMMARY = "## Goal\n\n- mend the loader\n\n## Next Steps\n\n* the docs, #4"


@pytest.mark.parametrize("state", get_args(VersionState))
def test_whatever_became_of_a_summary_there_is_a_word_for_it(state: VersionState) -> None:
    assert (SINCE[state] == "") == (state == "active")


@pytest.mark.parametrize("deed", ["branch", "compacting"])
def test_a_folded_row_tells_words_of_the_summary_and_no_signs_of_its_headings(deed: MemoryDeed) -> None:
    drawn = draw_note(MemoryNote(deed), SUMMARY, None, 120, chat_look("dark", {}), folded=True)
    words = "".join(segment.text for segment in drawn)
    assert "Goal mend the loader Next Steps the docs, #4" in words
