"""`diligent doctor`: looks at everything, prints what was found, and says by its exit code whether it will work."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import get_args

from diligent_tui import __version__
from diligent_tui.cli.doctor.arguments import DoctorArguments, make_doctor_parser
from diligent_tui.cli.doctor.findings import Area, Finding, Verdict
from diligent_tui.cli.doctor.folders import about_folders
from diligent_tui.cli.doctor.programs import about_clipboard, about_programs, about_python
from diligent_tui.cli.doctor.sandbox import about_sandbox
from diligent_tui.cli.doctor.setup import about_keys, about_servers, about_settings
from diligent_tui.cli.doctor.terminal import about_osc_52, about_terminal, look_at_terminal
from diligent_tui.cli.doctor.width import about_widths, measure_widths
from diligent_tui.cli.exit_codes import DONE, FAILED
from diligent_tui.cli.headless import enter_house
from diligent_tui.cli.paging import show_paged
from diligent_tui.config.house import House
from diligent_tui.tools.sandbox.policy import SandboxPolicy

AREAS: tuple[Area, ...] = get_args(Area)
SIGNS: Mapping[Verdict, str] = MappingProxyType({"ok": "✓", "warn": "!", "fail": "✗"})


def run_doctor(words: list[str]) -> int:
    """Understand the words behind `doctor`, look around and print; returns the exit code."""
    arguments = make_doctor_parser().parse_args(words, DoctorArguments())
    # What is wrong with the settings is a finding like any other.
    house = enter_house(arguments.cwd, {}, trust=arguments.trust, complain=lambda _: None)
    # The terminal is asked first, while its answers are not shown beside our own words.
    widths = measure_widths() if not arguments.json else None
    findings = [*examine(house), about_widths(widths)]
    findings.sort(key=lambda finding: AREAS.index(finding.area))
    show_paged(lambda: print_findings(findings, as_json=arguments.json))
    return FAILED if any(finding.verdict == "fail" for finding in findings) else DONE


def examine(house: House) -> Iterator[Finding]:
    """Look at everything but what the terminal must be asked for; nothing is kept and nothing leaves the machine."""
    environ, root = house.environ, house.places.root
    yield from about_python()
    yield from about_terminal(look_at_terminal(environ), environ)
    yield about_osc_52(environ)
    yield about_clipboard(environ, root)
    yield from about_programs(environ, root)
    told = house.settings.sandbox
    yield from about_sandbox(SandboxPolicy(told.mode, told.network))
    yield from about_keys(house)
    yield from about_servers()
    yield from about_settings(house)
    yield from about_folders(house.places)


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """The findings by area, each remedy under what it is for."""
    figures = Counter(finding.verdict for finding in findings)
    if as_json:
        rows = [
            {
                "area": finding.area,
                "name": finding.name,
                "verdict": finding.verdict,
                "words": finding.words,
                "remedy": finding.remedy or None,
            }
            for finding in findings
        ]
        counted = {verdict: figures[verdict] for verdict in SIGNS}
        sys.stdout.write(json.dumps({"version": __version__, **counted, "findings": rows}, indent=2) + "\n")
        return
    area = ""
    for finding in findings:
        if finding.area != area:
            area = finding.area
            sys.stdout.write(f"{area}\n")
        sys.stdout.write(f"  {SIGNS[finding.verdict]} {finding.words}\n")
        if finding.remedy:
            sys.stdout.write(f"      {finding.remedy}\n")
    sys.stdout.write(
        f"diligent {__version__}: {figures['ok']} well, {figures['warn']} to look at, {figures['fail']} to mend.\n"
    )
