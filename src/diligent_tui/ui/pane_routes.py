"""The app's part that carries wishes from panes to whoever fulfils them; it asks nothing and decides nothing."""

from diligent_tui.ui.routes.attention import AttentionRoutes
from diligent_tui.ui.routes.copying import CopyRoutes
from diligent_tui.ui.routes.insight import InsightRoutes
from diligent_tui.ui.routes.keeping import KeepingRoutes
from diligent_tui.ui.routes.knowledge import KnowledgeRoutes
from diligent_tui.ui.routes.looks import LookRoutes
from diligent_tui.ui.routes.memory import MemoryRoutes
from diligent_tui.ui.routes.palette import PaletteRoutes
from diligent_tui.ui.routes.places import PlaceRoutes
from diligent_tui.ui.routes.prompt import PromptRoutes
from diligent_tui.ui.routes.sending import SendingRoutes
from diligent_tui.ui.routes.travel import TravelRoutes


class PaneRoutes(
    AttentionRoutes,
    CopyRoutes,
    InsightRoutes,
    KeepingRoutes,
    KnowledgeRoutes,
    LookRoutes,
    MemoryRoutes,
    PaletteRoutes,
    PlaceRoutes,
    PromptRoutes,
    SendingRoutes,
    TravelRoutes,
):
    """Handlers of what the panes ask for, one part for each kind of wish."""

    def run_with_words(self, command_id: str, words: str) -> bool:
        """Run a command that takes words after its slash word; False if it takes none."""
        match command_id:
            case "model":
                self.choose_model(words)
            case "compact":
                self._remember(lambda memory: memory.compact(words))
            case "preview":
                self._remember(lambda memory: memory.compact(words, previews=True))
            case "pin":
                self._remember(lambda memory: memory.pin(words))
            case "recall":
                self.recall(words)
            case "theme":
                self.wear(words)
            case "learn":
                self._learn(words)
            case "remember":
                self._keep_in_mind(words)
            case _:
                return False
        return True
