"""Settings by layers, and where things are kept.

What only some runs need is loaded with its first use: see `late_names`. Reading variables comes with a large library,
doubting values and putting a session together with the rooms below.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.config.assembly import surroundings
    from diligent_tui.config.doubts import doubts_about
    from diligent_tui.config.house import enter
    from diligent_tui.config.variables import read_variable

__all__ = ["doubts_about", "enter", "read_variable", "surroundings"]

__getattr__ = late_names(
    __name__,
    {"doubts_about": "doubts", "enter": "house", "read_variable": "variables", "surroundings": "assembly"},
)
