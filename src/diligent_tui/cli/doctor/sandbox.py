"""How far commands are shut in here: every way out is tried with each backend, as at the start of a session."""

from collections.abc import Iterator
from pathlib import Path

from diligent_tui.cli.doctor.findings import Finding, broken, doubtful, well
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.tools.sandbox.bubblewrap import find_bubblewrap
from diligent_tui.tools.sandbox.escapes import WAYS
from diligent_tui.tools.sandbox.landlock import landlock_version
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from diligent_tui.tools.sandbox.probe import find_open_ways, level_of

INSTALL = "Install bubblewrap (bwrap), or run diligent in a container and set sandbox.mode to external."


def about_sandbox(policy: SandboxPolicy) -> Iterator[Finding]:
    """What holds; the level is that of the better backend."""
    if policy.mode == "off":
        yield doubtful(
            "sandbox",
            "level",
            "The sandbox is switched off in the settings.",
            "`diligent config set sandbox.mode auto` switches it on.",
        )
        return
    if policy.mode == "external":
        yield well("sandbox", "level", "The settings say that a container around us shuts commands in.")
        return
    bwrap = find_bubblewrap()
    levels: list[str] = []
    for name, program, is_there in (("bubblewrap", bwrap, bwrap is not None), ("landlock", None, landlock_version())):
        if not is_there:
            remedy = INSTALL if name == "bubblewrap" else "A kernel from 5.13 on with Landlock has it."
            yield doubtful("sandbox", name, f"{name} is not there.", remedy)
            continue
        finding, level = _try_out(name, policy, program)
        levels.append(level)
        yield finding
    yield _level(policy, levels)


def _try_out(name: str, policy: SandboxPolicy, bwrap: Path | None) -> tuple[Finding, str]:
    try:
        ways, complaint = find_open_ways(policy, bwrap)
    except OSError as error:
        ways, complaint = frozenset[str](), f"{error.strerror}."
    level, why = level_of(ways, network=policy.network)
    # Landlock is known to leave these two open; all that it can shut is shut.
    expected = "full" if name == "bubblewrap" else "partial"
    opened = [way for way in WAYS if way in ways]
    shut = [way for way in WAYS if way not in ways]
    matrix = f"shut: {', '.join(shut) or 'nothing'}; open: {', '.join(opened) or 'nothing'}"
    if "alive" not in ways:
        return doubtful("sandbox", name, clean_line(f"{name} does not work: {complaint or why}"), INSTALL), "none"
    if level in ("full", expected):
        return well("sandbox", name, f"{name} holds ({matrix})."), level
    return doubtful("sandbox", name, f"{name} does not hold ({matrix}).", INSTALL), level


def _level(policy: SandboxPolicy, levels: list[str]) -> Finding:
    best = "full" if "full" in levels else "partial" if "partial" in levels else "none"
    words = {"full": "Commands are shut in fully.", "partial": "Commands are shut in, not fully."}.get(
        best, "Commands are not shut in; what you allow runs with your rights."
    )
    if policy.mode == "full" and best != "full":
        return broken(
            "sandbox",
            "level",
            f"{words} The settings want nothing less than a full sandbox, so no command runs.",
            f"{INSTALL} Or `diligent config set sandbox.mode auto`.",
        )
    return well("sandbox", "level", words) if best == "full" else doubtful("sandbox", "level", words, INSTALL)
