"""How a long conversation is made to fit.

What only strategies of other packages need is loaded with the first of them: see `late_names`.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.compaction.strategies.shelter import FAULTS, sheltered

__all__ = ["FAULTS", "sheltered"]

__getattr__ = late_names(__name__, {"FAULTS": "strategies.shelter", "sheltered": "strategies.shelter"})
