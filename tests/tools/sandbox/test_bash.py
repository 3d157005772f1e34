"""The tool `bash` and the sandbox: what is asked, what is refused, what is run inside and what outside."""

from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.builtin.run_command import RunCommand
from diligent_tui.tools.process import Launcher, PlainLauncher
from diligent_tui.tools.runner import judge_call, run_call
from diligent_tui.tools.sandbox import sandbox as sandbox_module
from diligent_tui.tools.sandbox.policy import SandboxLevel, SandboxPolicy, SandboxState
from diligent_tui.tools.sandbox.sandbox import Sandbox

UNKNOWN = "make it so"


class Told(Sandbox):
    """A sandbox that is worth what it is told, holds nothing, and remembers how it was used."""

    def __init__(self, level: SandboxLevel, policy: SandboxPolicy | None = None) -> None:
        policy = policy or SandboxPolicy()
        known = SandboxState(level, "none", "As told.", policy.mode == "full" and level != "full")
        super().__init__(policy, look=False, known=known)
        self.networks: list[bool] = []

    def launcher(self, workplace: Workplace, *, network: bool) -> Launcher:
        self.networks.append(network)
        return PlainLauncher()


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path, tmp_path, 20_000, tmp_path / ".diligent" / "sessions" / "s")


def judged(tool: RunCommand, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
    return judge_call(tool, arguments, mode, workplace)


async def ran(tool: RunCommand, arguments: JsonObject, workplace: Workplace, *, approved: bool = False) -> Outcome:
    return await run_call(tool, arguments, Call(workplace, "0a1b2c3d", lambda _: None, approved))


@pytest.mark.parametrize(
    ("level", "trusted", "mode", "decision"),
    [
        ("full", True, "ask", "allow"),
        ("full", True, "auto-edit", "allow"),
        ("full", True, "plan", "deny"),
        ("full", False, "ask", "ask"),
        ("partial", True, "ask", "ask"),
        ("none", True, "ask", "ask"),
        ("none", False, "full", "allow"),
    ],
)
def test_a_full_sandbox_that_the_user_trusts_saves_the_question(
    level: SandboxLevel, trusted: bool, mode: Mode, decision: str, workplace: Workplace
) -> None:
    tool = RunCommand(Told(level), trust_sandbox=trusted)
    assert judged(tool, {"command": UNKNOWN}, mode, workplace).decision == decision


def test_a_sandbox_that_is_not_known_yet_saves_no_question(workplace: Workplace) -> None:
    tool = RunCommand(Sandbox(SandboxPolicy(), look=False), trust_sandbox=True)
    assert judged(tool, {"command": UNKNOWN}, "ask", workplace).decision == "ask"


@pytest.mark.parametrize("wish", ["network", "outsideSandbox"])
@pytest.mark.parametrize("mode", ["ask", "auto-edit", "full"])
@pytest.mark.parametrize("command", [UNKNOWN, "ls"])
def test_what_goes_beyond_the_sandbox_is_asked_in_every_mode(
    wish: str, mode: Mode, command: str, workplace: Workplace
) -> None:
    verdict = judged(RunCommand(Told("full"), trust_sandbox=True), {"command": command, wish: True}, mode, workplace)
    assert verdict.decision == "ask"
    if wish == "network":
        assert (verdict.rule, verdict.needs_network) == (f"network({command})", True)
        assert verdict.reason == "it is to run with the network."
    else:
        assert (verdict.rule, verdict.needs_network) == ("", False)
        assert verdict.reason == "it is to run outside the sandbox."


def test_a_network_that_would_destroy_something_says_both_and_offers_no_wide_rule(workplace: Workplace) -> None:
    tool = RunCommand(Told("full"))
    told = judged(tool, {"command": "rm -rf /etc/*", "network": True}, "full", workplace)
    assert told.reason.startswith("it is to run with the network, and ")
    assert told.rule == ""
    plain = judged(tool, {"command": "curl $x", "network": True}, "full", workplace)
    assert (plain.decision, plain.rule) == ("ask", "")


@pytest.mark.parametrize("wish", ["network", "outsideSandbox"])
def test_plan_mode_goes_nowhere(wish: str, workplace: Workplace) -> None:
    assert judged(RunCommand(Told("full")), {"command": "ls", wish: True}, "plan", workplace).decision == "deny"


def test_where_there_is_no_sandbox_nothing_is_beyond_it(workplace: Workplace) -> None:
    tool = RunCommand(Told("none"))
    assert judged(tool, {"command": "ls", "network": True}, "ask", workplace).decision == "allow"
    assert judged(tool, {"command": UNKNOWN, "outsideSandbox": True}, "full", workplace).decision == "allow"


def test_a_network_that_the_settings_allow_is_not_asked(workplace: Workplace) -> None:
    tool = RunCommand(Told("full", SandboxPolicy(network=True)))
    assert judged(tool, {"command": UNKNOWN, "network": True}, "full", workplace).decision == "allow"


@pytest.mark.parametrize(
    ("trusted", "mode", "command", "decision"),
    [
        (False, "ask", UNKNOWN, "ask"),
        (True, "ask", UNKNOWN, "allow"),
        (True, "ask", "rm -rf /etc", "ask"),
        (True, "plan", UNKNOWN, "deny"),
        (False, "full", UNKNOWN, "allow"),
    ],
)
def test_a_container_that_the_user_tells_of_is_as_good_as_a_full_sandbox(
    trusted: bool, mode: Mode, command: str, decision: str, workplace: Workplace
) -> None:
    tool = RunCommand(Sandbox(SandboxPolicy(mode="external"), look=False), trust_sandbox=trusted)
    for more in ({}, {"network": True}, {"outsideSandbox": True}):
        assert judged(tool, {"command": command, **more}, mode, workplace).decision == decision


async def test_in_a_container_of_the_users_nothing_is_tried_or_wrapped_and_hooks_are_still_put_back(
    workplace: Workplace, tmp_path: Path
) -> None:
    (workplace.root / ".git" / "hooks").mkdir(parents=True)
    sandbox = Sandbox(SandboxPolicy(mode="external"), tmp_path / "remembered.json", Path("/no/such/bwrap"))
    assert (await sandbox.find_out()).word == "sandbox external"
    assert isinstance(sandbox.launcher(workplace, network=False), PlainLauncher)
    outcome = await ran(RunCommand(sandbox), {"command": "echo x > .git/hooks/post-commit; echo ran"}, workplace)
    assert outcome.output.startswith("ran\n[put back as it was: ")
    assert not (workplace.root / ".git" / "hooks" / "post-commit").exists()
    assert not (tmp_path / "remembered.json").exists()


@pytest.mark.parametrize("level", ["partial", "none"])
async def test_asked_for_full_nothing_runs_in_less(level: SandboxLevel, workplace: Workplace) -> None:
    tool = RunCommand(Told(level, SandboxPolicy(mode="full")))
    for mode in ("plan", "ask", "auto-edit", "full"):
        verdict = judged(tool, {"command": "ls"}, mode, workplace)
        assert verdict.decision == "deny"
        assert "the settings ask for a full sandbox" in verdict.reason
    for approved in (True, False):
        outcome = await ran(tool, {"command": "touch made"}, workplace, approved=approved)
        assert outcome.is_error
        assert outcome.output.endswith("and there is none. As told.")
    assert not (workplace.root / "made").exists()


async def test_asked_for_full_a_command_runs_outside_only_when_the_user_says_so(workplace: Workplace) -> None:
    tool = RunCommand(Told("none", SandboxPolicy(mode="full")))
    wish: JsonObject = {"command": "echo ran", "outsideSandbox": True}
    assert judged(tool, wish, "full", workplace).decision == "ask"
    assert (await ran(tool, wish, workplace)).is_error
    assert (await ran(tool, wish, workplace, approved=True)).output == "ran\n"


@pytest.mark.parametrize(
    ("wish", "approved", "networks"),
    [
        ({}, True, [False]),
        ({"network": True}, True, [True]),
        ({"network": True}, False, [False]),
        ({"network": False}, True, [False]),
        ({"outsideSandbox": True}, False, [False]),
        ({"outsideSandbox": True}, True, []),
    ],
)
async def test_a_wish_counts_only_once_it_was_approved(
    wish: JsonObject, approved: bool, networks: list[bool], workplace: Workplace
) -> None:
    sandbox = Told("full")
    assert (await ran(RunCommand(sandbox), {"command": "echo x", **wish}, workplace, approved=approved)).output == "x\n"
    assert sandbox.networks == networks


@pytest.mark.parametrize("name", ["network", "outsideSandbox"])
async def test_a_wish_that_is_neither_true_nor_false_is_explained(name: str, workplace: Workplace) -> None:
    outcome = await ran(RunCommand(), {"command": "true", name: "yes"}, workplace)
    assert outcome.output == f"`{name}` must be true or false."


async def test_what_a_command_did_to_git_is_put_back_and_said(workplace: Workplace) -> None:
    (workplace.root / ".git").mkdir()
    (workplace.root / ".git" / "config").write_text("[core]\n")
    outcome = await ran(RunCommand(Told("partial")), {"command": "echo evil > .git/config; echo hi"}, workplace)
    assert outcome.output.startswith("hi\n[put back as it was: .git/config.")
    assert (workplace.root / ".git" / "config").read_text() == "[core]\n"
    assert "evil" in next((workplace.root / ".git").glob("config.*.refused")).read_text()


async def test_without_a_sandbox_nothing_is_put_back(workplace: Workplace) -> None:
    (workplace.root / ".git").mkdir()
    await ran(RunCommand(Told("none")), {"command": "echo mine > .git/config"}, workplace)
    assert (workplace.root / ".git" / "config").read_text() == "mine\n"


async def test_the_first_command_finds_out_what_the_sandbox_is_worth(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SandboxState("none", "none", "Nothing.")

    def nothing(policy: SandboxPolicy, bwrap: Path | None) -> SandboxState:
        return found

    monkeypatch.setattr(sandbox_module, "probe", nothing)
    sandbox = Sandbox(SandboxPolicy(), look=False)
    assert (await ran(RunCommand(sandbox), {"command": "echo x"}, workplace)).output == "x\n"
    assert sandbox.state == found


def test_the_time_that_a_call_may_take_is_known_before_it_runs() -> None:
    tool = RunCommand(timeout_seconds=90)
    assert tool.timeout_seconds({"command": "true"}) == 90
    assert tool.timeout_seconds({"command": "true", "timeoutSeconds": 5}) == 5
    assert tool.timeout_seconds({"nonsense": 1}) == 90
    assert "90 if left out" in str(tool.spec.input_schema)
