"""What a session is given by its front end; the core reads no settings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.agent.user_rules import UserRules
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.domain.models import Model
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.domain.times import Clock, now
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.providers.base import Provider
from diligent_tui.tools.base import Tool

if TYPE_CHECKING:
    from diligent_tui.tools.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a session is given by its front end: models, tools, place and bounds."""

    model: Model
    provider_for: Callable[[Model], Provider]
    tools: Callable[[], tuple[Tool, ...]]
    """Makes the tools of one session: some remember what they did in it."""
    root: Path
    cwd: Path
    brief: Callable[[], Briefing]
    """Gathers the facts for the system prompt; it may read files."""
    thinking: ThinkingLevel = "off"
    mode: Mode = "ask"
    output_limit_bytes: int = 32_768
    policy: AgentPolicy = field(default_factory=AgentPolicy)
    rules: UserRules = field(default_factory=UserRules)
    knowledge: KnowledgePolicy = field(default_factory=KnowledgePolicy)
    knowledge_files: KnowledgeFiles = field(default_factory=KnowledgeFiles)
    compaction: CompactionPolicy = field(default_factory=CompactionPolicy)
    estimator: Estimator = field(default_factory=Estimator)
    clock: Clock = now
    sandbox: "Callable[[], Sandbox] | None" = None
    """Gives what commands are shut in, always the same; it is loaded when it is first asked for."""
    search_folder: Path | None = None
    """Where the index of what was said is kept; None keeps it in memory."""
    find_model: Callable[[str], Model] | None = None
    resumes_model: bool = True
    """Whether a session that is resumed goes on with the model it had."""
    made_folder: Callable[[Path], None] = lambda _: None
    """Told of a `.diligent` folder that the session made."""
