import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from diligent_tui.cli.doctor.findings import Verdict
from diligent_tui.cli.doctor.terminal import TerminalFacts, about_osc_52, about_terminal, look_at_terminal
from diligent_tui.cli.doctor.width import SAMPLES, about_widths
from tests.ui.pty_host import PtyHost

GOOD = TerminalFacts(is_terminal=True, columns=120, rows=40, encoding="utf-8", colours=256, has_mouse=True)
GOOD_ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
ASK = """
import sys
from diligent_tui.cli.doctor.width import measure_widths
print("found", measure_widths(float(sys.argv[1])))
"""


def verdicts(facts: TerminalFacts, environ: Mapping[str, str]) -> dict[str, Verdict]:
    return {finding.name: finding.verdict for finding in about_terminal(facts, environ)}


def test_a_good_terminal_is_well() -> None:
    assert set(verdicts(GOOD, GOOD_ENVIRON).values()) == {"ok"}


@pytest.mark.parametrize(
    ("facts", "environ", "name"),
    [
        (GOOD, {"COLORTERM": "truecolor"}, "TERM"),
        (TerminalFacts(True, 120, 40, "utf-8"), GOOD_ENVIRON, "TERM"),
        (TerminalFacts(True, 60, 40, "utf-8", 256, True), GOOD_ENVIRON, "size"),
        (TerminalFacts(False, 0, 0, "utf-8", 256, True), GOOD_ENVIRON, "size"),
        (GOOD, {"TERM": "xterm-256color"}, "colours"),
        (GOOD, {**GOOD_ENVIRON, "NO_COLOR": "1"}, "colours"),
        (TerminalFacts(True, 120, 40, "ascii", 256, True), GOOD_ENVIRON, "Unicode"),
        (TerminalFacts(True, 120, 40, "utf-8", 256, False), GOOD_ENVIRON, "mouse"),
    ],
)
def test_what_is_amiss_is_said_with_a_remedy(facts: TerminalFacts, environ: Mapping[str, str], name: str) -> None:
    (finding,) = [each for each in about_terminal(facts, environ) if each.name == name]
    assert finding.verdict == "warn"
    assert finding.remedy


@pytest.mark.parametrize(
    ("environ", "verdict"),
    [
        ({"TERM": "xterm-kitty"}, "ok"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "ok"),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, "ok"),
        ({"TERM": "xterm-kitty", "TMUX": "1"}, "warn"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "warn"),
        ({"TERM": "linux"}, "warn"),
        ({}, "warn"),
    ],
)
def test_who_takes_copied_text_is_known_by_name(environ: Mapping[str, str], verdict: Verdict) -> None:
    finding = about_osc_52(environ)
    assert (finding.verdict, bool(finding.remedy)) == (verdict, verdict != "ok")


def test_a_terminal_nobody_knows_is_no_fault() -> None:
    assert look_at_terminal({"TERM": "no-such-terminal"}).colours is None
    assert look_at_terminal({"TERM": "xterm-256color"}).colours == 256


@pytest.mark.parametrize(
    ("widths", "verdict"),
    [(None, "warn"), ([right for _, right in SAMPLES], "ok"), ([1 for _ in SAMPLES], "warn")],
)
def test_widths_are_judged(widths: list[int] | None, verdict: Verdict) -> None:
    assert about_widths(widths).verdict == verdict


def test_the_terminal_is_asked_where_its_cursor_is(tmp_path: Path) -> None:
    with PtyHost([sys.executable, "-c", ASK, "60"], {"PYTHONUTF8": "1"}, tmp_path) as host:
        for number in range(len(SAMPLES)):
            while host.output.count(b"\x1b[6n") <= number:
                host.read_more()
            host.send(b"\x1b[1;%dR" % (number + 2))
        host.read_until(r"found \[1, 2, 3, 4, 5\]")
        assert host.wait() == 0
        assert host.termios_now() == host.termios_before


def test_a_terminal_that_does_not_answer_holds_nothing_up(tmp_path: Path) -> None:
    with PtyHost([sys.executable, "-c", ASK, "0.1"], {"PYTHONUTF8": "1"}, tmp_path) as host:
        host.read_until("found None")
        assert host.wait() == 0
        assert host.termios_now() == host.termios_before
