"""How much a model thinks before it answers; apart from the models, for the command line needs it at every start."""

from typing import Literal, get_args

ThinkingLevel = Literal["off", "low", "medium", "high", "max"]
THINKING_LEVELS: tuple[ThinkingLevel, ...] = get_args(ThinkingLevel)
