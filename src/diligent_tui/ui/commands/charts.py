"""Commands of the charts, and the one that shows them."""

from diligent_tui.ui.commands.command import Command

CHARTS_COMMANDS: tuple[Command, ...] = (
    Command("charts_left", "Left", "Point at a turn further back", "left,h", where="charts"),
    Command("charts_right", "Right", "Point at a later turn", "right,l", where="charts"),
    Command("charts_previous", "Previous turn", "Point at the turn before", "shift+left,H", where="charts"),
    Command("charts_next", "Next turn", "Point at the next turn", "shift+right,L", where="charts"),
    Command("charts_first", "First turn", "Point at the first turn", "home,g", where="charts"),
    Command("charts_last", "Last turn", "Point at the newest turn", "end,G", where="charts"),
    Command("charts_go", "To the chat", "Go to this turn in the chat", "enter", where="charts"),
    Command("charts_up", "Up", "Scroll one row up", "up,k", where="charts"),
    Command("charts_down", "Down", "Scroll one row down", "down,j", where="charts"),
    Command("charts_page_up", "Page up", "Scroll one screen up", "pageup", where="charts"),
    Command("charts_page_down", "Page down", "Scroll one screen down", "pagedown,space", where="charts"),
    Command("charts_read", "Read again", "Read the session again", "r", where="charts"),
    Command("charts_close", "Close", "Close the charts", "escape,q", where="charts"),
)

SHOW_CHARTS: tuple[Command, ...] = (
    Command("charts", "Charts", "Context, cost, cache and branches in pictures", "", "charts", "show_charts"),
)
