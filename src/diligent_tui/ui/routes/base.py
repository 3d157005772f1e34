"""What every part of the routes builds on: who fulfils wishes, and how many are fulfilled at a time."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from textual.app import App

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.keys_now import sentence_now

if TYPE_CHECKING:
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.knowledge_desk import KnowledgeTravel
    from diligent_tui.ui.memory_desk import MemoryDesk
    from diligent_tui.ui.model_choice import ModelChooser
    from diligent_tui.ui.opening import Opening
    from diligent_tui.ui.screens.main import MainScreen
    from diligent_tui.ui.screens.trust import TrustDesk
    from diligent_tui.ui.travel import Travel


class Routes(App[int]):
    """Those who fulfil wishes; before the session is there, there is nobody to ask."""

    travel: "Travel | None" = None
    chooser: "ModelChooser | None" = None
    trust: "TrustDesk | None" = None
    memory: "MemoryDesk | None" = None
    knowledge: "KnowledgeTravel | None" = None

    @property
    def core(self) -> "Core | None":
        """The session behind the screen, once it is there."""
        raise NotImplementedError

    @property
    def opening(self) -> "Opening":
        """How the app was opened."""
        raise NotImplementedError

    @property
    def main(self) -> "MainScreen":
        """The main screen."""
        raise NotImplementedError

    def _say(self, sentence: str) -> None:
        self.notify(clean_line(sentence), markup=False)

    def _go(self, journey: "Callable[[Travel], Coroutine[object, object, None]]") -> None:
        if self.travel is not None:
            self._begin(journey(self.travel))

    def _remember(self, wish: "Callable[[MemoryDesk], Coroutine[object, object, None]]") -> None:
        """Wishes of memory one after another: a compaction takes its time, and panes and lists stay open to it."""
        if self.memory is None:
            return
        if any(worker.group == "memory" for worker in self.workers):
            said = "Memory is at work already. {stop} in the prompt stops it."
            self._say(sentence_now(said, self.opening.keys))
        else:
            self.run_worker(wish(self.memory), group="memory")

    def _begin(self, journey: "Coroutine[object, object, None]") -> bool:
        """One at a time: a second wish while a dialog is open would act on what is about to change, and is refused."""
        if any(worker.group == "travel" for worker in self.workers):
            journey.close()
            return False
        self.run_worker(journey, group="travel")
        return True
