"""The tool `bash`: run a shell command."""

import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_number, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.capture import Capture
from diligent_tui.tools.descriptions import description
from diligent_tui.tools.environment import command_environment
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.permissions import judge_command
from diligent_tui.tools.process import Ending, run_process

TIMEOUT_SECONDS = 120.0
LONGEST_TIMEOUT_SECONDS = 1_800.0
SIGNALLED = 128
"""A shell reports a child ended by signal n as 128 + n."""


def _spec() -> ToolSpec:
    return ToolSpec(
        name="bash",
        description=description("run_command"),
        input_schema={
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The command, as for `bash -c`."},
                "timeoutSeconds": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": 1800,
                    "description": "After how many seconds the command is ended; 120 if left out.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    )


@dataclass(frozen=True, slots=True)
class RunCommand:
    """Runs a command in its own session, without a terminal."""

    spec: ToolSpec = field(default_factory=_spec)
    read_only: bool = False

    def subject(self, arguments: JsonObject) -> str:
        """The command as it was given."""
        return str(arguments.get("command") or "")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free if the command is known as harmless."""
        command, _ = _arguments(arguments)
        return judge_command(command, mode, workplace, os.environ.get("PATH", ""))

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Run until the shell exits, the time is over or the call is cancelled."""
        command, timeout_seconds = _arguments(arguments)
        shell = _shell()
        environment = command_environment(os.environ, shell[0])
        capture = Capture(call)
        try:
            ending = await run_process(
                [*shell, "-c", command], call.workplace.cwd, environment, timeout_seconds, capture.receive
            )
            text = await capture.finish()
        except OSError as error:
            folder = shown_name(str(call.workplace.cwd))
            raise ToolError(f"The command could not be started in {folder}: {error.strerror}.") from error
        finally:
            capture.close()
        closing = closing_lines(ending, timeout_seconds)
        is_error = ending.timed_out or ending.exit_code != 0
        return Outcome(_joined(text, closing), is_error, capture.spill_name)


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


def _arguments(arguments: JsonObject) -> tuple[str, float]:
    known_only(arguments, ("command", "timeoutSeconds"))
    command = required_text(arguments, "command", "give the command to run")
    seconds = optional_number(arguments, "timeoutSeconds")
    if seconds is None:
        return command, TIMEOUT_SECONDS
    if not 0 < seconds <= LONGEST_TIMEOUT_SECONDS:
        raise ToolError(f"`timeoutSeconds` must be more than 0 and at most {LONGEST_TIMEOUT_SECONDS:g}.")
    return command, seconds


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
