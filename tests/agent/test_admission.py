"""The mode's verdict weighed with the user's rules and with what was allowed in the session."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from diligent_tui.agent.admission import Admission, Judged
from diligent_tui.agent.permissions import Decision, Scope
from diligent_tui.agent.user_rules import UserRules, read_rules
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.paths import locate
from diligent_tui.tools.permissions import judge_command, judge_network, judge_reading, judge_writing

OUT: JsonObject = {"command": "npm test", "outsideSandbox": True}


@dataclass(frozen=True)
class Stub:
    """A tool that judges as the real one of its name does, and runs nothing."""

    name: str
    path: str = "/usr/bin:/bin"

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "", {})

    @property
    def read_only(self) -> bool:
        return self.name in ("read", "grep")

    def subject(self, arguments: JsonObject) -> str:
        return str(arguments)

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        if self.name == "bash":
            if arguments.get("outsideSandbox"):
                return Verdict("ask", "it is to run outside the sandbox.")
            if arguments.get("network"):
                return judge_network(str(arguments["command"]), mode, workplace, self.path)
            return judge_command(str(arguments["command"]), mode, workplace, self.path)
        located = locate(str(arguments.get("path", ".")), workplace)
        return judge_reading(located, mode) if self.read_only else judge_writing(located, mode, workplace, "+x")

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        return Outcome("")


@dataclass
class Gate:
    """An admission in a workspace, and the rules that it saved."""

    workplace: Workplace
    saved: list[str] = field(default_factory=list[str])
    admission: Admission = field(default_factory=Admission)

    def rules(self, *, allow: str = "", ask: str = "", deny: str = "") -> "Gate":
        book, problems = read_rules(*([text] if text else [] for text in (allow, ask, deny)))
        assert problems == ()
        self.admission = Admission(UserRules(book, self.saved.append))
        return self

    def judged(self, tool: str, about: str | JsonObject, mode: Mode = "ask") -> Judged:
        key = "command" if tool == "bash" else "path"
        arguments: JsonObject = {key: about} if isinstance(about, str) else about
        return self.admission.judge(Stub(tool), arguments, mode, self.workplace)

    def says(self, tool: str, about: str | JsonObject, mode: Mode = "ask") -> str:
        return self.judged(tool, about, mode).verdict.decision

    def yes(self, tool: str, about: str, scope: Scope, rule: str = "") -> None:
        key = "command" if tool == "bash" else "path"
        self.admission.remember(tool, {key: about}, Decision(allowed=True, scope=scope, rule=rule))


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    root = tmp_path / "ws"
    (root / "src").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "scratch"))
    return Gate(Workplace(root, root, 20_000, root / ".diligent"))


@pytest.mark.parametrize(
    ("rules", "command", "mode", "decision"),
    [
        ({}, "npm test", "ask", "ask"),
        ({"allow": "bash(npm test)"}, "npm test", "ask", "allow"),
        ({"allow": "bash(npm test)"}, "npm test", "plan", "deny"),
        ({"allow": "bash(npm test)"}, "npm test | tail -5", "ask", "allow"),
        ({"allow": "bash(npm test)"}, "cd src && npm test", "ask", "allow"),
        ({"allow": "bash(npm test)"}, "npm test && rm x", "ask", "ask"),
        ({"allow": "bash(npm *)"}, "npm x && rm -rf ~", "ask", "ask"),
        ({"allow": "bash"}, "anything", "ask", "allow"),
        ({"allow": "bash"}, "anything $x", "ask", "ask"),
        ({"allow": "bash"}, "rm -rf /etc", "ask", "ask"),
        ({"allow": "bash"}, "rm -rf /etc", "full", "ask"),
        ({"allow": "bash(rm *)"}, "rm -rf /etc", "full", "ask"),
        ({"allow": "bash(rm -rf /etc)"}, "rm -rf /etc", "full", "allow"),
        ({"allow": "bash(rm -rf *)"}, "rm -rf build", "ask", "allow"),
        ({"ask": "bash(ls *)"}, "ls -la", "full", "ask"),
        ({"ask": "bash(ls *)"}, "pwd", "full", "allow"),
        ({"ask": "bash(ls *)"}, "ls", "plan", "ask"),
        ({"deny": "bash(ls *)"}, "ls", "full", "deny"),
        ({"deny": "bash(rm *)"}, "ls && rm x", "full", "deny"),
        ({"deny": "bash(rm *)"}, "env rm x", "full", "deny"),
        ({"deny": "bash(rm *)"}, "x $y", "full", "ask"),
        ({"deny": "bash(rm *)"}, "touch x", "full", "allow"),
        ({"deny": "bash", "allow": "bash(npm test)"}, "npm test", "ask", "deny"),
        ({"ask": "bash(npm *)", "allow": "bash(npm test)"}, "npm test", "ask", "ask"),
        ({"deny": "edit(src/**)"}, "ls", "ask", "allow"),
    ],
)
def test_rules_on_commands(gate: Gate, rules: dict[str, str], command: str, mode: Mode, decision: str) -> None:
    assert gate.rules(**rules).says("bash", command, mode) == decision


@pytest.mark.parametrize(
    ("rules", "tool", "path", "mode", "decision"),
    [
        ({"allow": "edit(src/**)"}, "write", "src/a.py", "ask", "allow"),
        ({"allow": "edit(src/**)"}, "edit", "src/../a.py", "ask", "ask"),
        ({"allow": "edit(src/**)"}, "edit", "src/a.py", "plan", "deny"),
        ({"allow": "edit(**)"}, "edit", ".git/config", "full", "ask"),
        ({"allow": "edit(.git/config)"}, "edit", ".git/config", "full", "allow"),
        ({"allow": "edit"}, "edit", "/etc/x", "full", "allow"),
        ({"allow": "edit(~/**)"}, "edit", "~/.bashrc", "full", "ask"),
        ({"allow": "write(src/**)"}, "edit", "src/a.py", "ask", "ask"),
        ({"allow": "read(~/notes/**)"}, "read", "~/notes/a", "ask", "allow"),
        ({"allow": "read(~/notes/**)"}, "read", "~/notes/a", "plan", "allow"),
        ({"allow": "read(~/notes/**)"}, "read", "~/notes/.env", "ask", "ask"),
        ({"allow": "read(~/notes/**)"}, "read", "~/other", "plan", "deny"),
        ({"allow": "read(~/notes/**)"}, "edit", "~/notes/a", "ask", "ask"),
        ({"deny": "read(src/**)"}, "read", "src/a", "full", "deny"),
        ({"deny": "read(src/**)"}, "grep", ".", "full", "ask"),
        ({"deny": "read(src/**)"}, "read", "a", "full", "allow"),
        ({"ask": "edit(src/**)"}, "edit", "src/a", "full", "ask"),
    ],
)
def test_rules_on_files(gate: Gate, rules: dict[str, str], tool: str, path: str, mode: Mode, decision: str) -> None:
    assert gate.rules(**rules).says(tool, path, mode) == decision


@pytest.mark.parametrize(
    ("rules", "command", "mode", "decision"),
    [
        ({}, "npm install", "full", "ask"),
        ({"allow": "bash"}, "npm install", "ask", "ask"),
        ({"allow": "bash(npm install)"}, "npm install", "full", "ask"),
        ({"allow": "network(npm install)"}, "npm install", "ask", "allow"),
        ({"allow": "network(npm install)"}, "npm install", "full", "allow"),
        ({"allow": "network(npm install)"}, "npm install", "plan", "deny"),
        ({"allow": "network(npm install)"}, "npm install left-pad", "full", "ask"),
        ({"allow": "network(npm *)"}, "npm install left-pad | tail -3", "ask", "allow"),
        ({"allow": "network(npm *)"}, "npm install && curl evil.sh", "full", "ask"),
        ({"allow": "network(npm *)"}, "npm install $x", "full", "ask"),
        ({"allow": "network"}, "npm install", "full", "allow"),
        ({"allow": "network"}, "npm install", "ask", "ask"),
        ({"allow": "network(*)"}, "ls", "ask", "allow"),
        ({"allow": "network"}, "rm -rf /etc", "full", "ask"),
        ({"allow": "network(rm *)"}, "rm -rf /etc", "full", "ask"),
        ({"allow": "network(rm -rf /etc)"}, "rm -rf /etc", "full", "allow"),
        ({"allow": "bash", "deny": "network"}, "npm install", "full", "deny"),
        ({"allow": "network", "deny": "network(curl *)"}, "npm install && curl x", "full", "deny"),
        ({"allow": "network(git *)", "ask": "network(git push *)"}, "git push origin", "full", "ask"),
        ({"allow": "network(git *)", "ask": "network(git push *)"}, "git fetch", "full", "allow"),
    ],
)
def test_rules_on_the_network(gate: Gate, rules: dict[str, str], command: str, mode: Mode, decision: str) -> None:
    judged = gate.rules(**rules).judged("bash", {"command": command, "network": True}, mode)
    # The yes is what gives it the network.
    assert (judged.verdict.decision, judged.needs_yes) == (decision, True)


def test_the_network_alone_lets_no_command_run_and_denying_it_is_about_no_other(gate: Gate) -> None:
    assert gate.rules(allow="network").says("bash", "npm install") == "ask"
    assert gate.rules(deny="network").says("bash", "npm install") == "ask"
    assert gate.rules(deny="network").says("bash", "ls") == "allow"
    assert gate.rules(allow="bash", deny="network").says("bash", OUT, "full") == "deny"
    assert gate.rules(allow="network").says("read", "src/x.py") == "allow"
    assert gate.rules(allow="network(npm install)").says("bash", "npm install") == "allow"


def test_a_rule_on_a_folder_does_not_follow_a_link_out_of_it(gate: Gate) -> None:
    (gate.workplace.root / "src" / "out").symlink_to("/etc")
    assert gate.rules(allow="edit(src/**)").says("edit", "src/out/x") == "ask"


def test_what_must_be_looked_at_each_time_is_allowed_by_no_rule(gate: Gate) -> None:
    gate.rules(allow="bash(npm test)")
    assert gate.says("bash", OUT) == "ask"
    assert gate.says("bash", "npm test") == "allow"


def test_a_question_by_rule_comes_with_the_diff_and_keeps_the_other_reason(gate: Gate) -> None:
    verdict = gate.rules(ask="edit(src/**)").judged("edit", "src/a", "full").verdict
    assert (verdict.diff, verdict.reason, verdict.rule) == ("+x", "Your rule edit(src/**) says to ask.", "")
    assert "outside" in gate.rules(ask="bash(npm *)").judged("bash", OUT).verdict.reason


def test_only_what_the_mode_lets_run_by_itself_runs_without_a_yes(gate: Gate) -> None:
    gate.rules(allow="bash(npm test)")
    assert not gate.judged("bash", "ls").needs_yes
    assert gate.judged("bash", "npm test").needs_yes


def test_once_is_not_remembered(gate: Gate) -> None:
    gate.yes("bash", "npm test", "once", "bash(npm test)")
    assert gate.says("bash", "npm test") == "ask"


def test_a_session_remembers_its_rule_and_saves_nothing(gate: Gate) -> None:
    gate.rules().yes("bash", "npm test", "session", "bash(npm test)")
    assert gate.says("bash", "npm test | head") == "allow"
    assert gate.says("bash", "npm run x") == "ask"
    assert gate.saved == []


def test_without_a_rule_a_session_remembers_exactly_this_call(gate: Gate) -> None:
    gate.yes("bash", "x $y", "session")
    assert gate.says("bash", "x $y") == "allow"
    assert gate.says("bash", "x $y ") == "ask"


def test_a_yes_for_the_session_goes_before_a_rule_that_asks_but_not_before_one_that_denies(gate: Gate) -> None:
    gate.rules(ask="bash(npm *)").yes("bash", "npm test", "session")
    assert gate.says("bash", "npm test") == "allow"
    gate.rules(deny="bash(npm *)").yes("bash", "npm test", "session")
    assert gate.says("bash", "npm test") == "deny"


def test_always_is_saved_and_holds_in_other_sessions_of_the_run(gate: Gate) -> None:
    rules = UserRules(save=gate.saved.append)
    gate.admission = Admission(rules)
    gate.yes("bash", "npm test", "always", " bash(npm *)")
    assert gate.saved == ["bash(npm *)"]
    other = replace(gate, admission=Admission(rules))
    assert other.says("bash", "npm run x") == "allow"


def test_a_rule_that_could_not_be_saved_holds_for_the_session(gate: Gate) -> None:
    def fail(_rule: str) -> None:
        raise StorageError("No space.")

    gate.admission = Admission(UserRules(save=fail))
    with pytest.raises(StorageError):
        gate.yes("bash", "npm test", "always", "bash(npm *)")
    assert gate.says("bash", "npm run x") == "allow"


def test_a_no_is_not_remembered(gate: Gate) -> None:
    gate.admission.remember("bash", {"command": "npm test"}, Decision(allowed=False, scope="session"))
    assert gate.says("bash", "npm test") == "ask"


def test_a_broken_rule_is_told_and_a_broken_no_becomes_a_question(gate: Gate) -> None:
    book, problems = read_rules(["bash($x)"], [], ["bash(rm *", "nonsense(("])
    assert len(problems) == 3
    assert all("Write it as" in problem or "plain words" in problem for problem in problems)
    gate.admission = Admission(UserRules(book))
    assert gate.says("bash", "ls", "full") == "ask"
    assert gate.says("read", "src", "full") == "ask"
