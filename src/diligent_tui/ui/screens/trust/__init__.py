"""The question whether what a folder brings may be used."""

from diligent_tui.ui.screens.trust.asking import TrustDesk
from diligent_tui.ui.screens.trust.screen import TrustAnswer, TrustScreen

__all__ = ["TrustAnswer", "TrustDesk", "TrustScreen"]
