"""Puts a session together from settings, places and flags; the one place where the core meets the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.agent.policy import DEFAULT_MAX_STEPS, AgentPolicy
from diligent_tui.agent.session import AgentSession, Surroundings
from diligent_tui.agent.system_prompt import base_prompt, build_system_prompt
from diligent_tui.config.estimates import load_estimator
from diligent_tui.config.instructions import read_instructions
from diligent_tui.config.load import Loaded, load_settings
from diligent_tui.config.paths import Places, find_places
from diligent_tui.config.settings import ModelSettings, Settings
from diligent_tui.config.survey import Finding, take_survey
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.errors import SessionNotFound
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.times import now
from diligent_tui.providers.base import Provider
from diligent_tui.providers.registry import ProviderOptions, choose_default, find, make_provider
from diligent_tui.session.catalog import newest_session
from diligent_tui.tools.builtin import builtin_tools


@dataclass(frozen=True, slots=True)
class House:
    """Everything about where diligent runs that is the same for every session of a run."""

    places: Places
    loaded: Loaded
    strangers: tuple[Finding, ...]
    """What the folder brings that the user has not said yes to."""
    notices: tuple[str, ...]
    trust_list: TrustList
    environ: Mapping[str, str]

    @property
    def trusted(self) -> bool:
        """True if all that the folder brings may be used."""
        return not self.strangers

    @property
    def sessions_are_known(self) -> bool:
        """True if the sessions found here may be offered: they are our own, or trusted."""
        return all(finding.kind != "sessions" for finding in self.strangers)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.loaded.settings


def enter(cwd: Path, environ: Mapping[str, str], flags: Mapping[str, object], *, trust_once: bool = False) -> House:
    """Look around: the places, the trust list, the settings. Runs nothing, sends nothing, writes nothing."""
    places = find_places(cwd, environ)
    trust_list = TrustList.load(places.user_state)
    strangers = () if trust_once else trust_list.strangers(take_survey(places))
    loaded = load_settings(places, environ, flags, trusted=not strangers)
    notices = [problem.text for problem in loaded.problems]
    if strangers:
        names = ", ".join(finding.words for finding in strangers)
        notices.append(f"Folder not trusted: {names} not used. --trust uses them for one run.")
    if trust_list.problem:
        notices.append(f"{trust_list.problem.message} {trust_list.problem.advice}")
    return House(places, loaded, strangers, tuple(notices), trust_list, environ)


def surroundings(house: House, *, may_ask: bool, model_flag: str | None = None) -> Surroundings:
    """What a session needs, from the house's settings."""
    settings, places = house.settings, house.places
    extra = tuple(_own_model(name, model) for name, model in settings.models.items())

    def find_model(name: str) -> Model:
        return find(name, extra)

    def system_prompt() -> str:
        instructions = read_instructions(places, settings.instructions, trusted=house.trusted)
        base = settings.system_prompt or base_prompt()
        return build_system_prompt(base, places.cwd, places.root, now().astimezone().date(), instructions)

    limits = settings.limits
    return Surroundings(
        model=find_model(choose_default(model_flag, settings.model, house.environ)),
        provider_for=lambda model: _provider(model, settings),
        tools=builtin_tools(),
        root=places.root,
        cwd=places.cwd,
        system_prompt=system_prompt,
        thinking=settings.thinking or "off",
        mode=settings.mode,
        output_limit_bytes=settings.tools.output_limit_bytes,
        policy=AgentPolicy(
            max_steps=limits.max_steps or DEFAULT_MAX_STEPS,
            max_cost=limits.max_cost,
            max_tokens=limits.max_tokens,
            may_ask=may_ask,
        ),
        estimator=load_estimator(places.user_state),
        find_model=None if model_flag else find_model,
        made_folder=house.trust_list.mark_own,
    )


def begin(house: House, given: Surroundings) -> AgentSession:
    """A new session in the house's project."""
    return AgentSession.begin(house.places.sessions, given)


def find_session(house: House, wanted: str) -> Path:
    """The newest session whose id begins so; raises SessionNotFound."""
    if not house.sessions_are_known:
        raise SessionNotFound("The sessions found here were not made by you.", "Add --trust to use them in this run.")
    if found := newest_session(house.places.sessions, wanted):
        return found
    raise SessionNotFound(f"No session {wanted} here." if wanted else "There is no session here to go on with.")


def _provider(model: Model, settings: Settings) -> Provider:
    return make_provider(model.provider, ProviderOptions(pace_tokens_per_second=settings.offline.pace))


def _own_model(name: str, told: ModelSettings) -> Model:
    provider, _, bare = name.partition("/")
    prices = told.prices
    known = prices.input is not None and prices.output is not None
    return Model(
        provider=provider if bare else "openai-compatible",
        name=bare or name,
        window_tokens=told.window,
        max_output_tokens=told.max_output,
        prices=Prices(prices.input or 0, prices.output or 0, prices.cache_read, prices.cache_write) if known else None,
        thinking_levels=told.thinking,
        sees_images=told.images,
        aliases=told.aliases,
    )
