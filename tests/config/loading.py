"""How the tests of settings ask for them."""

from collections.abc import Mapping
from typing import Protocol

from diligent_tui.config.load import Loaded


class Load(Protocol):
    """Write the texts of the layers and load them."""

    def __call__(
        self,
        user: str | bytes = "",
        project: str | bytes = "",
        environ: Mapping[str, str] | None = None,
        flags: Mapping[str, object] | None = None,
        trusted: bool = True,
    ) -> Loaded: ...
