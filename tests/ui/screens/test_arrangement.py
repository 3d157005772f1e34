"""Which panes are to be seen, step by step."""

import pytest

from diligent_tui.config.layout import SHARES_PERCENT, Layout
from diligent_tui.ui.screens.main.arrangement import Arrangement
from diligent_tui.ui.stylesheets import styles_folder

WIDE = Arrangement()
NARROW = Arrangement(is_narrow=True)


def test_of_the_panes_at_the_right_there_is_one_at_a_time() -> None:
    both = WIDE.with_pane("tree").with_pane("tools").with_pane("trace")
    assert both.shown == {"tree", "centre", "trace"}
    assert both.without_pane("trace").shown == {"tree", "centre"}
    assert both.without_pane("tools") == both


def test_the_chat_is_between_two_panes_only_while_all_three_are_in_sight() -> None:
    both = WIDE.with_pane("tree").with_pane("tools")
    assert both.has_both
    assert not WIDE.with_pane("tree").has_both
    assert not WIDE.with_pane("tools").has_both
    assert not both.with_zoom("centre").has_both
    assert not both.on_screen(is_narrow=True, at="tools").has_both


def test_a_zoomed_pane_has_all_the_room_until_it_is_asked_again() -> None:
    zoomed = WIDE.with_pane("tree").with_pane("tools").with_zoom("tools")
    assert zoomed.shown == {"tools"}
    assert zoomed.with_zoom("tools").shown == {"tree", "centre", "tools"}
    assert zoomed.with_zoom("centre").zoomed == ""


def test_to_show_another_pane_or_to_go_to_the_chat_ends_a_zoom() -> None:
    zoomed = WIDE.with_pane("tools").with_zoom("tools")
    assert zoomed.with_pane("tree").shown == {"tree", "centre", "tools"}
    assert zoomed.at_centre().shown == {"centre", "tools"}
    assert zoomed.without_pane("tools").shown == {"centre"}
    chat = WIDE.with_pane("tools").with_zoom("centre")
    assert chat.shown == {"centre"}
    assert chat.at_centre() == chat


def test_a_narrow_screen_has_one_pane_over_the_chat_and_forgets_it() -> None:
    over = NARROW.with_pane("tree").with_pane("tools")
    assert over.shown == {"centre", "tools"}
    assert over.layout == Layout()
    assert over.at_centre().shown == {"centre"}
    assert over.with_zoom("tools").shown == {"tools"}


def test_what_stood_beside_the_chat_comes_back_with_the_room() -> None:
    wide = WIDE.with_pane("tree").with_pane("tools")
    narrow = wide.on_screen(is_narrow=True, at="")
    assert narrow.shown == {"centre"}
    assert narrow.on_screen(is_narrow=False, at="") == wide
    assert wide.on_screen(is_narrow=True, at="tree").shown == {"centre", "tree"}


def test_a_pane_that_lay_over_the_chat_stands_beside_it_when_there_is_room() -> None:
    assert NARROW.with_pane("trace").on_screen(is_narrow=False, at="trace").shown == {"centre", "trace"}


def test_a_width_is_the_nearest_that_the_style_sheet_has() -> None:
    assert WIDE.with_share("tree", 37).layout.shares_percent == {"tree": 35}
    assert WIDE.with_share("tree", -5).layout.shares_percent == {"tree": SHARES_PERCENT[0]}
    assert WIDE.with_share("tree", 200).layout.shares_percent == {"tree": SHARES_PERCENT[-1]}
    sheet = (styles_folder() / "layout.tcss").read_text()
    for percent in SHARES_PERCENT:
        assert f".-share-{percent} {{ width: {percent}%;" in sheet


def test_panes_that_are_not_there_are_not_shown() -> None:
    odd = Arrangement(Layout("tools", "later", {"later": 30, "tree": 25})).of_panes({"tree", "tools"})
    assert odd.layout == Layout("", "", {"tree": 25})


@pytest.mark.parametrize("columns", [100, 101, 120, 160, 240])
@pytest.mark.parametrize("shares", [{"tree": 80}, {"tools": 80}, {"tree": 80, "tools": 80}, {"tree": 15, "tools": 80}])
def test_widths_leave_the_chat_and_the_other_pane_their_room(columns: int, shares: dict[str, int]) -> None:
    both = Arrangement(Layout("tree", "tools", shares))
    painted = both.shares_on(columns)
    assert painted.keys() == shares.keys()
    usual = {"tree": 0.22 * columns, "tools": 0.35 * columns}
    assert sum(columns * painted[pane] / 100 if pane in painted else usual[pane] for pane in usual) <= columns - 30
    assert both.layout.shares_percent == shares


def test_a_width_that_fits_is_painted_as_it_was_given() -> None:
    assert Arrangement(Layout("tree", "tools", {"tree": 30, "tools": 45})).shares_on(120) == {"tree": 30, "tools": 45}
    assert Arrangement(Layout("", "tools", {"tree": 80, "tools": 70})).shares_on(100) == {"tools": 70}
