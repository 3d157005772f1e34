"""A log of any length as one widget: a pure model of blocks and rows, and a thin widget that paints it."""

from diligent_tui.ui.widgets.virtual_log.blocks import LogBlock
from diligent_tui.ui.widgets.virtual_log.extent import TextExtent
from diligent_tui.ui.widgets.virtual_log.renderer import BlockRenderer
from diligent_tui.ui.widgets.virtual_log.search import Standing
from diligent_tui.ui.widgets.virtual_log.widget import VirtualLog

__all__ = ["BlockRenderer", "LogBlock", "Standing", "TextExtent", "VirtualLog"]
