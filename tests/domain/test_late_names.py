"""Names that are loaded on the first look."""

import importlib
import subprocess
import sys
from json.decoder import JSONDecoder
from typing import cast

import pytest

from diligent_tui.domain.late_names import late_names

PACKAGES = ["agent", "compaction", "config", "session", "tools"]


def test_a_name_comes_from_the_module_that_is_its_home() -> None:
    look = late_names("json", {"JSONDecoder": "decoder"})
    assert look("JSONDecoder") is JSONDecoder


def test_any_other_name_is_missing_as_in_every_module() -> None:
    look = late_names("json", {"JSONDecoder": "decoder"})
    with pytest.raises(AttributeError, match="module 'json' has no attribute 'encoder'"):
        look("encoder")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_that_a_package_offers_can_be_loaded(package: str) -> None:
    module = importlib.import_module(f"diligent_tui.{package}")
    names = cast("list[str]", module.__all__)
    assert names
    for name in names:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", PACKAGES)
def test_to_import_such_a_package_loads_nothing_of_it(package: str) -> None:
    code = f"import sys, diligent_tui.{package}; print(*[n for n in sys.modules if n.startswith('diligent_tui')])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {"diligent_tui", f"diligent_tui.{package}", "diligent_tui.domain", "diligent_tui.domain.late_names"}
    assert set(shown.stdout.split()) == ours
