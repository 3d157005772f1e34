"""Plays prepared answers to the real loop, so that the demo's session is made as any other is."""

from collections.abc import AsyncIterator, Sequence
from itertools import count

from diligent_tui.cli.demo.talk import PreparedAnswer
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import CallPiece, Finished, Piece, ServerWindow, TextPiece
from diligent_tui.providers.offline.answers import pieces_of, said
from diligent_tui.providers.offline.counting import Measure, measure
from diligent_tui.tools.base import Call, Outcome
from diligent_tui.tools.builtin.run_command import RunCommand


class Player:
    """A provider that says what it was given, in order: answers to prompts, and texts to requests for a summary."""

    def __init__(self, answers: Sequence[PreparedAnswer], summaries: Sequence[str]) -> None:
        """Take all that will be said."""
        self._answers = iter(answers)
        self._summaries = iter(summaries)
        self._call_numbers = count(1)
        self._before = Measure()

    @property
    def name(self) -> str:
        """It stands in for the offline model."""
        return "offline"

    async def window_of(self, model_name: str) -> ServerWindow | None:
        """All is in the table."""
        return None

    async def warm_up(self) -> None:
        """All is there already."""

    async def aclose(self) -> None:
        """Nothing is held, so nothing is freed."""

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        """The next text, whole at once; usage is counted as the offline model counts it."""
        if request.purpose == "summary":
            answer = said(request, next(self._summaries))
        else:
            prepared = next(self._answers)
            calls = [
                ToolCallBlock(id=f"call_demo_{next(self._call_numbers)}", name=call.tool, input=dict(call.arguments))
                for call in prepared.calls
            ]
            answer = said(request, prepared.words, calls=calls)
        tokens = 0
        for piece in pieces_of(answer):
            tokens += isinstance(piece, TextPiece | CallPiece)
            yield piece
        measured = measure(request)
        usage = measured.usage(self._before, tokens)
        self._before = measured
        yield Finished(answer.blocks, answer.stop_reason, usage)


class PreparedCommands(RunCommand):
    """Commands whose output is known: none is run, so that the demo is made in a moment and alike everywhere."""

    def __init__(self, answers: Sequence[PreparedAnswer]) -> None:
        """Take what the commands print, in order."""
        super().__init__()
        self._runs = iter([call for answer in answers for call in answer.calls if call.tool == self.spec.name])

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """What the next command prints."""
        run = next(self._runs)
        code = run.exit_code
        return Outcome(f"{run.printed}exit code {code}" if code else run.printed, is_error=code != 0, exit_code=code)
