"""Where a command that cannot write the user's home puts what it needs for a while."""

from collections.abc import Mapping
from pathlib import Path


def with_scratch(environment: Mapping[str, str], temporary: Path) -> dict[str, str]:
    """The environment with temporary files and caches sent to a folder that can be written."""
    return {
        **environment,
        "TMPDIR": str(temporary),
        "XDG_CACHE_HOME": str(temporary / "cache"),
        "npm_config_cache": str(temporary / "npm"),
    }
