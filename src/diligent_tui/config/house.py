"""Where diligent runs, before any session: the places, what of the folder is trusted, the settings and the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.agent.user_rules import RuleBook, read_rules
from diligent_tui.config.load import Loaded, load_settings
from diligent_tui.config.paths import Places, find_places
from diligent_tui.config.settings import Settings
from diligent_tui.config.survey import Finding, names_of, take_survey
from diligent_tui.config.trust import TrustList


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
        ways = "/trust on the screen shows them; --trust uses them once."
        notices.append(f"Folder not trusted: {names_of(strangers)} not used. {ways}")
    if trust_list.problem:
        notices.append(f"{trust_list.problem.message} {trust_list.problem.advice}")
    told = loaded.settings.permissions
    book, broken = read_rules(told.allow, told.ask, told.deny)
    notices += broken
    return House(places, loaded, strangers, tuple(notices), trust_list, environ, book)
