"""One conversation: its tree, its file, and what of it the model sees.

Its search index, which comes with a database, is loaded when it is first asked for: see `late_names`.
"""

from typing import TYPE_CHECKING

from diligent_tui.domain.late_names import late_names

if TYPE_CHECKING:
    from diligent_tui.session.recall.index import RecallIndex

__all__ = ["RecallIndex"]

__getattr__ = late_names(__name__, {"RecallIndex": "recall.index"})
