"""The one gate that every row passes on its way out: signs, links and colours that the terminal has, widths that it
agrees on, and no colours for those who want none.

Panes draw as if every terminal could do everything, and need not know of it.
"""

from diligent_tui.ui.output.colourless import Colourless
from diligent_tui.ui.output.linkless import Linkless, shows_links
from diligent_tui.ui.output.near_colours import NearColours
from diligent_tui.ui.output.plain_signs import PlainSigns, charset_of
from diligent_tui.ui.output.steady_widths import SteadyWidths

__all__ = [
    "Colourless",
    "Linkless",
    "NearColours",
    "PlainSigns",
    "SteadyWidths",
    "charset_of",
    "shows_links",
]
