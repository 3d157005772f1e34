"""The one gate that every row passes on its way out: signs and links that the terminal has, widths that it agrees on,
and no colours for those who want none.

Panes draw as if every terminal could do everything, and need not know of it.
"""

from diligent_tui.ui.output.colourless import Colourless
from diligent_tui.ui.output.linkless import Linkless, shows_links
from diligent_tui.ui.output.plain_signs import PlainSigns, charset_of
from diligent_tui.ui.output.steady_widths import SteadyWidths

__all__ = ["Colourless", "Linkless", "PlainSigns", "SteadyWidths", "charset_of", "shows_links"]
