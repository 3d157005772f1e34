"""The tree of settings; each field's description is its documentation, and its marker says who may set it.

What carries no marker is for the user, the environment and flags alone. A field or section marked PROJECT may also be
set by a trusted project: these can change how diligent looks and remembers, never what runs or where keys go.
"""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr
from pydantic.alias_generators import to_camel

from diligent_tui.config.look import Theme
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.thinking import ThinkingLevel

PROJECT: Final[dict[str, JsonValue]] = {"project": True}
USER_ONLY: Final[dict[str, JsonValue]] = {"project": False}
"""For a field in a section that a project may set otherwise."""


class Section(BaseModel):
    """Frozen, camelCase on disk, nothing required: a layer may say as little as it likes."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )


class CompactionSettings(Section):
    """When and how old turns become a summary."""

    enabled: bool = Field(default=True, description="Compact by itself before the window overflows.")
    pruning: bool = Field(default=True, description="Replace old tool outputs by digests first.")
    strategy: str = Field(
        default="auto", min_length=1, description="auto, summarize, prune, truncate, or one that is added."
    )
    model: str | None = Field(
        default=None, min_length=1, description="The model that summarises; null for the session's own."
    )
    reserve_tokens: int | None = Field(
        default=None,
        ge=0,
        description="Tokens kept free for the answer; null for what the window and the model call for.",
    )
    keep_recent_tokens: int = Field(default=20_000, ge=0, description="Newest tokens that stay word for word.")
    preview: bool = Field(default=False, description="Show what will be summarised before every compaction.")


class HalfLifeDays(Section):
    """Days after which an entry of each type counts half."""

    pattern: float = Field(default=730.0, gt=0, description="Half-life of patterns, in days.")
    decision: float = Field(default=730.0, gt=0, description="Half-life of decisions, in days.")
    discovery: float = Field(default=30.0, gt=0, description="Half-life of discoveries, in days.")
    preference: float = Field(default=730.0, gt=0, description="Half-life of preferences, in days.")
    correction: float = Field(default=730.0, gt=0, description="Half-life of corrections, in days.")


class TypeWeights(Section):
    """How much an entry of each type counts."""

    pattern: float = Field(default=1.0, ge=0, description="Weight of patterns.")
    decision: float = Field(default=1.0, ge=0, description="Weight of decisions.")
    discovery: float = Field(default=0.8, ge=0, description="Weight of discoveries.")
    preference: float = Field(default=1.3, ge=0, description="Weight of preferences.")
    correction: float = Field(default=1.5, ge=0, description="Weight of corrections.")


class KnowledgeSettings(Section):
    """What is kept across sessions, and how much of it the model is told."""

    enabled: bool = Field(default=True, description="Tell the model the project's knowledge, and let it add to it.")
    injection_budget: int = Field(default=8_192, ge=0, description="Most tokens of knowledge in the system prompt.")
    half_life_days: HalfLifeDays = Field(default_factory=HalfLifeDays, description="Days after which a type halves.")
    type_weights: TypeWeights = Field(default_factory=TypeWeights, description="Weight of each type in the ranking.")
    accept_candidates: bool = Field(
        default=False,
        description="Keep what a model proposes at once, without a look at the inbox.",
        json_schema_extra=USER_ONLY,
    )


class ProviderSettings(Section):
    """How to reach a provider."""

    api_key: SecretStr | None = Field(
        default=None, min_length=1, description="The key; better kept in the environment."
    )
    api_key_command: str | None = Field(default=None, min_length=1, description="A command that prints the key.")
    base_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s/]",
        description="The address of the provider's API.",
        json_schema_extra={"right": 'an address such as "http://localhost:11434/v1"'},
    )
    headers: dict[str, SecretStr] = Field(default_factory=dict[str, SecretStr], description="Further request headers.")


class PriceSettings(Section):
    """US dollars for a million tokens; what is not said is unknown."""

    input: float | None = Field(default=None, ge=0, description="Price of input tokens.")
    output: float | None = Field(default=None, ge=0, description="Price of output tokens.")
    cache_read: float | None = Field(default=None, ge=0, description="Price of tokens read from the cache.")
    cache_write: float | None = Field(default=None, ge=0, description="Price of tokens written to the cache.")


class ModelSettings(Section):
    """A model that diligent does not know by itself."""

    window: int | None = Field(default=None, ge=1, description="Size of the context window, in tokens.")
    max_output: int | None = Field(default=None, ge=1, description="Longest answer, in tokens.")
    prices: PriceSettings = Field(default_factory=PriceSettings, description="Prices for a million tokens.")
    thinking: tuple[ThinkingLevel, ...] = Field(default=(), description="The thinking levels it knows.")
    images: bool = Field(default=False, description="Whether it sees images.")
    aliases: tuple[str, ...] = Field(default=(), description="Short names for it.")


class PermissionSettings(Section):
    """Rules about what may run."""

    allow: tuple[str, ...] = Field(
        default=(),
        description=(
            "What runs without a question: `bash(npm test)`, `bash(make *)` word by word, `network(npm install)` with "
            "the network, `edit(src/**)`, `read(~/notes/**)`. Plan mode still changes nothing."
        ),
    )
    ask: tuple[str, ...] = Field(
        default=(), description="What is asked in every mode, written like `allow`; it goes before `allow`."
    )
    deny: tuple[str, ...] = Field(
        default=(), description="What never runs, written like `allow`; it goes before the other two."
    )
    trust_sandbox: bool = Field(
        default=False, description="Run commands without a question while the sandbox is full or external."
    )


class ToolSettings(Section):
    """Bounds of tool calls."""

    timeout_seconds: float = Field(
        default=120.0, gt=0, le=1_800, description="Time a command may take unless the model asks for more."
    )
    output_limit_bytes: int = Field(
        default=30_000, ge=1_000, description="Output told to the model; the whole is kept aside."
    )


class SandboxSettings(Section):
    """How commands are shut in."""

    mode: Literal["auto", "full", "off", "external"] = Field(
        default="auto",
        description="The best there is, nothing less than full, none, or that diligent runs in a container already.",
    )
    network: bool = Field(default=False, description="Let every command use the network.")
    writable: tuple[str, ...] = Field(default=(), description="Folders outside the project that commands may write.")


class OfflineSettings(Section):
    """The built-in engine."""

    pace: float = Field(default=0.0, ge=0, description="Tokens per second; 0 for as fast as possible.")


class UiSettings(Section):
    """Manners of the screen."""

    reduced_motion: bool = Field(default=False, description="No animation.")
    mouse: bool = Field(default=True, description="Use the mouse.")
    notifications: bool = Field(
        default=True, description="Tell the terminal (OSC 9) when a long turn ends or asks out of sight."
    )
    bell: bool = Field(default=False, description="Ring the bell then, too.")


class LimitSettings(Section):
    """Where the agent stops and asks."""

    max_steps: int | None = Field(default=None, ge=1, description="Most steps of one turn.")
    max_cost: float | None = Field(default=None, gt=0, description="Most US dollars of one session.")
    max_tokens: int | None = Field(default=None, ge=1, description="Most tokens of one session.")
    stall_seconds: float = Field(default=60.0, gt=0, description="Time without a byte after which an answer is lost.")


class Settings(Section):
    """All settings, always valid."""

    model: str | None = Field(
        default=None, min_length=1, description="The model: id, alias or provider/model.", json_schema_extra=PROJECT
    )
    thinking: ThinkingLevel | None = Field(
        default=None, description="How much the model thinks; null for its own habit.", json_schema_extra=PROJECT
    )
    mode: Mode = Field(default="ask", description="What the agent may do without asking.")
    theme: Theme = Field(
        default="auto",
        description="Colours of the screen; auto is dark or light like the terminal, ansi if it has 16 colours.",
        json_schema_extra=PROJECT,
    )
    system_prompt: str | None = Field(default=None, description="Text in place of the built-in system prompt.")
    instructions: tuple[str, ...] = Field(default=(), description="Further instruction files, by path.")
    compaction: CompactionSettings = Field(
        default_factory=CompactionSettings,
        description="When and how old turns become a summary.",
        json_schema_extra=PROJECT,
    )
    knowledge: KnowledgeSettings = Field(
        default_factory=KnowledgeSettings, description="What is kept across sessions.", json_schema_extra=PROJECT
    )
    provider: dict[str, ProviderSettings] = Field(
        default_factory=dict[str, ProviderSettings], description="Providers by name."
    )
    models: dict[str, ModelSettings] = Field(
        default_factory=dict[str, ModelSettings], description="Further models, by provider/model."
    )
    permissions: PermissionSettings = Field(default_factory=PermissionSettings, description="Rules about what may run.")
    tools: ToolSettings = Field(default_factory=ToolSettings, description="Bounds of tool calls.")
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings, description="How commands are shut in.")
    offline: OfflineSettings = Field(default_factory=OfflineSettings, description="The built-in engine.")
    ui: UiSettings = Field(default_factory=UiSettings, description="Manners of the screen.", json_schema_extra=PROJECT)
    keys: dict[str, str] = Field(default_factory=dict[str, str], description="Keys by the name of their command.")
    limits: LimitSettings = Field(default_factory=LimitSettings, description="Where the agent stops and asks.")
