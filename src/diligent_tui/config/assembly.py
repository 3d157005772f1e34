"""Puts a session together from the house and its settings; the one place where the core meets the settings."""

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from diligent_tui import tools
from diligent_tui.agent.policy import DEFAULT_MAX_STEPS, AgentPolicy
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing, base_prompt, describe_place
from diligent_tui.agent.user_rules import UserRules
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.config.estimates import load_estimator
from diligent_tui.config.house import House
from diligent_tui.config.instructions import read_instructions
from diligent_tui.config.knowledge_setup import knowledge_files, knowledge_of, knowledge_policy
from diligent_tui.config.model_list import own_models
from diligent_tui.config.provider_options import provider_options
from diligent_tui.config.rules_file import save_rule
from diligent_tui.config.settings import CompactionSettings
from diligent_tui.domain.models import Model
from diligent_tui.domain.times import now
from diligent_tui.providers.registry import choose_default, find, make_provider
from diligent_tui.tools.toolbox import builtin_tools, command_tool

if TYPE_CHECKING:
    from diligent_tui.tools.sandbox.sandbox import Sandbox


def surroundings(house: House, *, may_ask: bool, model_flag: str | None = None) -> Surroundings:
    """What a session needs, from the house's settings."""
    settings, places = house.settings, house.places
    extra = own_models(settings)

    def find_model(name: str) -> Model:
        return find(name, extra, settings.provider.keys())

    knowledge = knowledge_of(house)
    sandbox = cache(partial(_make_sandbox, house))

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
            command_tool(sandbox, settings.tools.timeout_seconds, trust_sandbox=settings.permissions.trust_sandbox)
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


def begin(house: House, given: Surroundings) -> AgentSession:
    """A new session in the house's project."""
    return AgentSession.begin(house.places.sessions, given)


def _make_sandbox(house: House) -> "Sandbox":
    told, places = house.settings.sandbox, house.places
    policy = tools.SandboxPolicy(
        told.mode,
        told.network,
        tuple(Path(each).expanduser() for each in told.writable),
        hidden=(places.user_config, places.user_data, places.user_state),
    )
    return tools.Sandbox(policy, remembered=places.user_state / "sandbox.json")


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
