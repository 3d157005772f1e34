"""The tool `bash`: run a shell command."""

import asyncio
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.arguments import known_only, optional_number, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.capture import Capture
from diligent_tui.tools.environment import command_environment
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.permissions import judge_command, judge_network
from diligent_tui.tools.process import Command, Ending, Launcher, PlainLauncher, run_process
from diligent_tui.tools.sandbox.policy import SandboxState
from diligent_tui.tools.sandbox.protected import Snapshot, take_snapshot
from diligent_tui.tools.sandbox.sandbox import Sandbox, no_sandbox
from diligent_tui.tools.specs import LONGEST_TIMEOUT_SECONDS, TIMEOUT_SECONDS, run_command_spec

SIGNALLED = 128
"""A shell reports a child ended by signal n as 128 + n."""
ARGUMENTS = ("command", "timeoutSeconds", "network", "outsideSandbox")


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the model asked for."""

    command: str
    timeout_seconds: float
    network: bool
    outside: bool


class RunCommand:
    """Runs a command in its own session, without a terminal, and shut in as far as the sandbox can."""

    read_only = False

    def __init__(
        self, sandbox: Sandbox | None = None, timeout_seconds: float = TIMEOUT_SECONDS, *, trust_sandbox: bool = False
    ) -> None:
        """`trust_sandbox`: while the sandbox is full, what stays in it needs no question."""
        self.spec = run_command_spec(timeout_seconds)
        self._sandbox = sandbox or no_sandbox()
        self._timeout_seconds = timeout_seconds
        self._trust_sandbox = trust_sandbox

    def subject(self, arguments: JsonObject) -> str:
        """The command as it was given."""
        return str(arguments.get("command") or "")

    def timeout_seconds(self, arguments: JsonObject) -> float:
        """After how many seconds a call is ended, for the clock that is shown."""
        try:
            return self._wish(arguments).timeout_seconds
        except ToolError:
            return self._timeout_seconds

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free if the command is known as harmless, or stays in a sandbox that the user trusts."""
        wish = self._wish(arguments)
        state = self._sandbox.state
        if state and state.wants_more and not wish.outside:
            return Verdict("deny", _refusal(state))
        search_path = os.environ.get("PATH", "")
        verdict = judge_command(wish.command, mode, workplace, search_path)
        match self._beyond(wish):
            case "outside" if mode == "plan":
                return Verdict("deny", "plan mode runs no command outside the sandbox.")
            case "outside":
                # No rule for next time: a rule about the words of a command says nothing about what it may reach.
                return Verdict("ask", "it is to run outside the sandbox.")
            case "network":
                return judge_network(wish.command, mode, workplace, search_path)
            case "":
                pass
        if verdict.decision == "ask" and self._trust_sandbox and self._sandbox.is_full:
            # What would be asked even in full mode destroys something in the workspace, and is asked here too.
            return judge_command(wish.command, "full", workplace, search_path)
        return verdict

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Run until the shell exits, the time is over or the call is cancelled."""
        wish = self._wish(arguments)
        launcher, snapshot = await self._shut_in(wish, call)
        shell = _shell()
        command = Command((*shell, "-c", wish.command), call.workplace.cwd, command_environment(os.environ, shell[0]))
        capture = Capture(call)
        refused: tuple[str, ...] = ()
        try:
            try:
                ending = await run_process(command, wish.timeout_seconds, capture.receive, launcher)
            finally:
                if snapshot:
                    refused = await asyncio.to_thread(_put_back, snapshot, only_new=launcher.leader_is_guard)
            text = await capture.finish()
        except OSError as error:
            folder = shown_name(str(call.workplace.cwd))
            raise ToolError(f"The command could not be started in {folder}: {error.strerror}.") from error
        finally:
            capture.close()
        closing = [*_refused_lines(refused), *closing_lines(ending, wish.timeout_seconds)]
        is_error = ending.timed_out or ending.exit_code != 0
        return Outcome(_joined(text, closing), is_error, capture.spill_name, exit_code=_exit_code(ending))

    async def _shut_in(self, wish: _Wish, call: Call) -> tuple[Launcher, Snapshot | None]:
        """How to start it; what needs a question is done only if it was asked."""
        if wish.outside and call.approved:
            return PlainLauncher(), None
        state = await self._sandbox.find_out()
        if state.wants_more:
            raise ToolError(_refusal(state))
        launcher = await asyncio.to_thread(
            self._sandbox.launcher, call.workplace, network=wish.network and call.approved
        )
        # In a container of the user's the workspace is often a folder of the machine outside.
        if state.level == "none" and not state.is_external:
            return launcher, None
        return launcher, await asyncio.to_thread(take_snapshot, call.workplace.root)

    def _beyond(self, wish: _Wish) -> Literal["", "outside", "network"]:
        """What the call asks for that the sandbox would not give; empty if nothing, or if there is no sandbox."""
        state = self._sandbox.state
        if state and state.level == "none" and not state.wants_more:
            return ""
        if wish.outside:
            return "outside"
        return "network" if wish.network and not self._sandbox.policy.network else ""

    def _wish(self, arguments: JsonObject) -> _Wish:
        known_only(arguments, ARGUMENTS)
        command = required_text(arguments, "command", "give the command to run")
        seconds = optional_number(arguments, "timeoutSeconds")
        if seconds is None:
            seconds = self._timeout_seconds
        if not 0 < seconds <= LONGEST_TIMEOUT_SECONDS:
            raise ToolError(f"`timeoutSeconds` must be more than 0 and at most {LONGEST_TIMEOUT_SECONDS:g}.")
        return _Wish(command, seconds, _is_true(arguments, "network"), _is_true(arguments, "outsideSandbox"))


def closing_lines(ending: Ending, timeout_seconds: float) -> list[str]:
    """What the model must know besides the output: how it ended, if not well."""
    lines: list[str] = []
    if ending.left_behind:
        lines.append("[what the command left running in the background was ended with it]")
    if ending.exit_code is None:
        lines.append("the command did not end even when it was killed; it may still be running")
    elif ending.timed_out:
        lines.append(f"timed out after {timeout_seconds:g} s; the command was ended")
    elif ending.exit_code < 0:
        lines.append(f"ended by signal {_signal_name(-ending.exit_code)}")
    elif ending.exit_code:
        name = _signal_name(ending.exit_code - SIGNALLED) if ending.exit_code > SIGNALLED else ""
        lines.append(f"exit code {ending.exit_code}" + (f" ({name})" if name.startswith("SIG") else ""))
    return lines


def _is_true(arguments: JsonObject, name: str) -> bool:
    value = arguments.get(name)
    if value is not None and not isinstance(value, bool):
        raise ToolError(f"`{name}` must be true or false.")
    return value is True


def _refusal(state: SandboxState) -> str:
    return f"Not run: the settings ask for a full sandbox (sandbox.mode), and there is none. {state.sentence}"


def _put_back(snapshot: Snapshot, *, only_new: bool) -> tuple[str, ...]:
    try:
        return snapshot.put_back(only_new=only_new)
    except OSError as error:
        name = shown_name(str(error.filename or "a protected file"))
        raise ToolError(f"The command changed {name}, and that could not be put back: {error.strerror}.") from error


def _exit_code(ending: Ending) -> int | None:
    if ending.timed_out or ending.exit_code is None:
        return None
    return ending.exit_code if ending.exit_code >= 0 else SIGNALLED - ending.exit_code


def _refused_lines(names: tuple[str, ...]) -> list[str]:
    if not names:
        return []
    shown = ", ".join(shown_name(name) for name in names)
    return [f"[put back as it was: {shown}. A command in the sandbox may not change it; what it wrote is beside it]"]


def _shell() -> list[str]:
    if Path("/bin/bash").exists():
        return ["/bin/bash", "--noprofile", "--norc"]
    return ["/bin/sh"]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _joined(text: str, closing: list[str]) -> str:
    if not text and not closing:
        return "[no output]"
    if not closing:
        return text
    return (text if not text or text.endswith("\n") else text + "\n") + "\n".join(closing)
