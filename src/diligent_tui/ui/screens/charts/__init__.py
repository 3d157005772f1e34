"""The charts of a session: context, cost, cache, tokens and branches, where people would rather look than read."""

from diligent_tui.ui.screens.charts.reading import begin_reading, name_of, words_of
from diligent_tui.ui.screens.charts.screen import ChartsScreen
from diligent_tui.ui.screens.charts.sheet import Figures

__all__ = ["ChartsScreen", "Figures", "begin_reading", "name_of", "words_of"]
