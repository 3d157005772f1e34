"""Small pictures of numbers: pure functions from data to rows of cells, with glyphs for every kind of terminal."""

from diligent_tui.ui.widgets.chart.branch_map import BranchLine, draw_branches
from diligent_tui.ui.widgets.chart.cells import ASCII, BLOCKS, Glyphs, MarkKind, Piece, Role, Row, joined, width_of
from diligent_tui.ui.widgets.chart.columns import barred, nice_top, stretched
from diligent_tui.ui.widgets.chart.plot import LABEL_COLUMNS, Mark, Plot, draw_plot, sparkline

__all__ = [
    "ASCII",
    "BLOCKS",
    "LABEL_COLUMNS",
    "BranchLine",
    "Glyphs",
    "Mark",
    "MarkKind",
    "Piece",
    "Plot",
    "Role",
    "Row",
    "barred",
    "draw_branches",
    "draw_plot",
    "joined",
    "nice_top",
    "sparkline",
    "stretched",
    "width_of",
]
