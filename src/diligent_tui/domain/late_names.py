"""Names of a package that are loaded on the first look at them, so that a start pays only for what it uses.

Who wants such a name late imports the package and says `package.Name` where it is used; `from package import Name`
loads it at once.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def late_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package; `homes` says in which module of it each name is."""

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load
