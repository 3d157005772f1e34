"""Tells what is wrong with the keys in the settings, as of every other setting: where it stands and what to do."""

from collections.abc import Iterator

from diligent_tui.config.load import BUILT_IN, Loaded
from diligent_tui.config.problems import SettingProblem, shown_name
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.key_check import check_keys


def doubts_about_keys(loaded: Loaded) -> Iterator[SettingProblem]:
    """A problem for each key that cannot be used, or is the key of another command too."""
    for fault in check_keys(loaded.settings.keys):
        path = ("keys", fault.name)
        origin = loaded.origins.get(path, BUILT_IN)
        yield SettingProblem(origin, shown_name(path), clean_line(fault.message), clean_line(fault.advice))
