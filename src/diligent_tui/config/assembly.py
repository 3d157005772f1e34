"""Puts a session together from settings, places and flags; the one place where the core meets the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from diligent_tui.agent.policy import DEFAULT_MAX_STEPS, AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing, base_prompt, describe_place
from diligent_tui.agent.user_rules import RuleBook, UserRules, read_rules
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.config.estimates import load_estimator
from diligent_tui.config.instructions import read_instructions
from diligent_tui.config.load import Loaded, load_settings
from diligent_tui.config.model_list import own_models
from diligent_tui.config.paths import Places, find_places
from diligent_tui.config.provider_options import provider_options
from diligent_tui.config.rules_file import save_rule
from diligent_tui.config.settings import CompactionSettings, KnowledgeSettings, Settings
from diligent_tui.config.survey import Finding, names_of, take_survey
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.errors import SessionNotFound
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgePolicy
from diligent_tui.domain.models import Model
from diligent_tui.domain.times import now
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import INBOX_NAME, Inbox
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.providers.registry import choose_default, find, make_provider
from diligent_tui.session.catalog import newest_session
from diligent_tui.session.export.masking import Mask, mask_of
from diligent_tui.session.shelf import Shelf
from diligent_tui.tools.builtin import builtin_tools
from diligent_tui.tools.builtin.run_command import RunCommand
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from diligent_tui.tools.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class House:
    """Everything about where diligent runs that is the same for every session of a run."""

    places: Places
    loaded: Loaded
    strangers: tuple[Finding, ...]
    """What the folder brings that the user has not said yes to."""
    notices: tuple[str, ...]
    trust_list: TrustList
    environ: Mapping[str, str] = field(repr=False)
    """Holds keys, so it is not shown."""
    rules: RuleBook = field(default_factory=RuleBook)

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


def enter(
    cwd: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
    *,
    trust_once: bool = False,
    for_now: Sequence[Finding] = (),
) -> House:
    """Look around: the places, the trust list, the settings. Runs nothing, sends nothing, writes nothing."""
    places = find_places(cwd, environ)
    trust_list = TrustList.load(places.user_state)
    trust_list.trust_for_now(for_now)
    strangers = () if trust_once else trust_list.strangers(take_survey(places))
    loaded = load_settings(places, environ, flags, trusted=not strangers)
    notices = [problem.text for problem in loaded.problems]
    if strangers:
        notices.append(f"Folder not trusted: {names_of(strangers)} not used. --trust uses them for one run.")
    if trust_list.problem:
        notices.append(f"{trust_list.problem.message} {trust_list.problem.advice}")
    told = loaded.settings.permissions
    book, broken = read_rules(told.allow, told.ask, told.deny)
    notices += broken
    return House(places, loaded, strangers, tuple(notices), trust_list, environ, book)


def surroundings(house: House, *, may_ask: bool, model_flag: str | None = None) -> Surroundings:
    """What a session needs, from the house's settings."""
    settings, places = house.settings, house.places
    extra = own_models(settings)

    def find_model(name: str) -> Model:
        return find(name, extra, settings.provider.keys())

    knowledge = knowledge_of(house)
    sandbox = Sandbox(
        SandboxPolicy(
            settings.sandbox.mode,
            settings.sandbox.network,
            tuple(Path(each).expanduser() for each in settings.sandbox.writable),
            hidden=(places.user_config, places.user_data, places.user_state),
        ),
        remembered=places.user_state / "sandbox.json",
    )

    def brief() -> Briefing:
        return Briefing(
            settings.system_prompt or base_prompt(),
            describe_place(places.cwd, places.root),
            now().astimezone().date(),
            read_instructions(places, settings.instructions, trusted=house.trusted),
            knowledge.refresh() if settings.knowledge.enabled else (),
        )

    limits = settings.limits
    return Surroundings(
        model=find_model(choose_default(model_flag, settings.model, house.environ)),
        provider_for=lambda model: make_provider(
            model.provider, provider_options(model.provider, settings, house.environ)
        ),
        tools=lambda: builtin_tools(
            RunCommand(sandbox, settings.tools.timeout_seconds, trust_sandbox=settings.permissions.trust_sandbox)
        ),
        sandbox=sandbox,
        root=places.root,
        cwd=places.cwd,
        brief=brief,
        thinking=settings.thinking or "off",
        mode=settings.mode,
        output_limit_bytes=settings.tools.output_limit_bytes,
        policy=AgentPolicy(
            max_steps=limits.max_steps or DEFAULT_MAX_STEPS,
            max_cost=limits.max_cost,
            max_tokens=limits.max_tokens,
            may_ask=may_ask,
        ),
        rules=UserRules(house.rules, partial(save_rule, places.user_settings)),
        knowledge=knowledge_policy(settings.knowledge),
        knowledge_files=knowledge_files(house, knowledge),
        compaction=_compaction_policy(settings.compaction),
        estimator=load_estimator(places.user_state),
        search_folder=places.user_state / "search",
        find_model=find_model,
        resumes_model=not model_flag,
        made_folder=house.trust_list.mark_own,
    )


def knowledge_of(house: House) -> KnowledgeShelf:
    """The project's knowledge, if its folder may be used, and the user's own."""
    places, trust_list = house.places, house.trust_list
    project = KnowledgeStore(
        places.knowledge, "project", made_folder=trust_list.mark_own, around_write=trust_list.own_write
    )
    return KnowledgeShelf(project if house.trusted else None, KnowledgeStore(places.user_knowledge, "user"))


def knowledge_files(house: House, shelf: KnowledgeShelf | None = None) -> KnowledgeFiles:
    """Both knowledge files and the inbox; what a folder that is not trusted proposes is not offered."""
    inbox = Inbox(house.places.data / INBOX_NAME, made_folder=house.trust_list.mark_own) if house.trusted else None
    return KnowledgeFiles(shelf or knowledge_of(house), inbox, house.settings.knowledge.accept_candidates)


def mask(house: House) -> Mask:
    """Hides our own keys in what is exported."""
    keys = [each.api_key.get_secret_value() for each in house.settings.provider.values() if each.api_key]
    return mask_of(house.environ, keys)


def begin(house: House, given: Surroundings) -> AgentSession:
    """A new session in the house's project."""
    return AgentSession.begin(house.places.sessions, given)


def find_session(house: House, wanted: str) -> Path:
    """The newest session whose id begins so, else the newest with all the words; raises SessionNotFound."""
    if not house.sessions_are_known:
        raise SessionNotFound("The sessions found here were not made by you.", "Add --trust to use them in this run.")
    sessions = house.places.sessions
    if found := newest_session(sessions, wanted):
        return found
    if wanted and (fitting := Shelf(sessions).find(wanted)):
        return fitting[0].path
    raise SessionNotFound(f"No session {wanted} here." if wanted else "There is no session here to go on with.")


def _compaction_policy(told: CompactionSettings) -> CompactionPolicy:
    return CompactionPolicy(
        is_automatic=told.enabled,
        prunes=told.pruning,
        strategy=told.strategy,
        model_id=told.model,
        always_preview=told.preview,
        own_reserve_tokens=told.reserve_tokens,
        most_kept_tokens=told.keep_recent_tokens,
    )


def knowledge_policy(told: KnowledgeSettings) -> KnowledgePolicy:
    """How much knowledge is told, and what counts for how much."""
    lives, weights = told.half_life_days, told.type_weights
    return KnowledgePolicy(
        enabled=told.enabled,
        budget_tokens=told.injection_budget,
        half_life_days={kind: getattr(lives, kind) for kind in KNOWLEDGE_TYPES},
        type_weights={kind: getattr(weights, kind) for kind in KNOWLEDGE_TYPES},
    )
