"""The preview of a compaction: what would become of each block, with a cut that can be moved."""

from diligent_tui.ui.screens.preview.screen import PreviewScreen
from diligent_tui.ui.screens.preview.trial import Choice

__all__ = ["Choice", "PreviewScreen"]
