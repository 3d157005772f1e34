"""The rows of memory in the chat say what became of a compaction since."""

from typing import get_args

import pytest

from diligent_tui.compaction.views import VersionState
from diligent_tui.ui.panes.chat.memory_rows import SINCE


@pytest.mark.parametrize("state", get_args(VersionState))
def test_whatever_became_of_a_summary_there_is_a_word_for_it(state: VersionState) -> None:
    assert (SINCE[state] == "") == (state == "active")
