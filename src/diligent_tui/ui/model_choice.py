"""Lets the user choose a model: by name, or from the picker, which says what the switch would lose."""

from collections.abc import Callable, Sequence

from textual.app import App

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.switching import switching_losses
from diligent_tui.config.model_list import Offer, key_of, offers
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.models import Model
from diligent_tui.domain.thinking import THINKING_LEVELS, ThinkingLevel
from diligent_tui.providers.openai_chat.local_servers import find_local_servers
from diligent_tui.ui.core import Core
from diligent_tui.ui.screens.model_picker import ModelPicker


class ModelChooser:
    """Changes the model of the session that is open."""

    def __init__(self, app: App[int], core: Core, say: Callable[[str], None]) -> None:
        """Ask through the app, act through the core."""
        self._app = app
        self._core = core
        self._say = say

    async def choose(self, words: str) -> None:
        """Switch to the model that is named, with a thinking level if one follows; without a name, show the list."""
        session = self._core.session
        if session is None:
            return
        if words:
            name, _, level = words.partition(" ")
            await self._switch(session, name, next((known for known in THINKING_LEVELS if known == level), None))
            return
        house = self._core.ground.house
        picker = ModelPicker(
            offers(house.settings, house.environ),
            session.model,
            session.thinking,
            lambda model: self._losses(session, model),
            self._find_local,
        )
        if chosen := await self._app.push_screen_wait(picker):
            await self._switch(session, chosen.model_id, chosen.thinking)

    async def _switch(self, session: AgentSession, name: str, thinking: ThinkingLevel | None) -> None:
        find_model = self._core.ground.given.find_model
        if find_model is None:
            return
        try:
            model = find_model(name)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return
        if await self._core.wish(session.set_model(model, thinking)):
            await session.warm_up()

    def _losses(self, session: AgentSession, model: Model) -> Sequence[str]:
        tokens = session.measure().tokens
        return switching_losses(session.next_request(), session.next_request(model), tokens).sentences

    async def _find_local(self) -> Sequence[Offer]:
        house = self._core.ground.house
        return [
            Offer(Model(server.provider, name), key_of(server.provider, house.settings, house.environ))
            for server in await find_local_servers()
            for name in server.models
        ]
