"""Questions that facts put to the user, and what is done with the answers."""

from collections.abc import Callable

from textual.app import App

from diligent_tui.agent.permissions import Decision
from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.events import Event, PermissionRequested, PermissionResolved, StorageFailed
from diligent_tui.ui.opening import Access
from diligent_tui.ui.screens.choice import Answer, ChoiceScreen
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.widgets.prompt import PromptInput

LOCK_ANSWERS = (
    Answer("f", "go on here, in a fork; the other one keeps its own", "fork"),
    Answer("r", "only read it", "read"),
    Answer("q", "leave it alone", ""),
)


async def ask_about_lock(app: App[int], problem: Problem) -> Access | None:
    """How to open a session that another process writes; None is not at all."""
    answer = await app.push_screen_wait(ChoiceScreen("This session is in use", problem.message, LOCK_ANSWERS))
    match answer:
        case "fork" | "read":
            return answer
        case _:
            return None


def put_question(
    app: App[int], event: Event, session: AgentSession, prompt: PromptInput, say: Callable[[str], None]
) -> None:
    """Ask about a fact that wants an answer; others are passed over."""
    match event:
        case PermissionRequested():
            _ask_permission(app, event, session)
        case PermissionResolved():
            if dialog := _dialog(app):
                dialog.withdraw(event.call_id)
        case StorageFailed() if session.is_stuck or event.text:
            _ask_about_storage(app, event.problem, session, prompt)
        case StorageFailed():
            say(f"Not saved: {event.problem.message} {event.problem.advice}")
        case _:
            pass


def _ask_permission(app: App[int], question: PermissionRequested, session: AgentSession) -> None:
    """One dialog for all questions; a further one waits in it."""

    def answer(call_id: str, decision: Decision) -> None:
        session.resolve_permission(
            call_id, allowed=decision.allowed, reason=decision.reason, scope=decision.scope, rule=decision.rule
        )

    if dialog := _dialog(app):
        dialog.add(question)
    else:
        app.push_screen(PermissionScreen(question, answer))


def _dialog(app: App[int]) -> PermissionScreen | None:
    return next((screen for screen in app.screen_stack if isinstance(screen, PermissionScreen)), None)


def _ask_about_storage(app: App[int], problem: Problem, session: AgentSession, prompt: PromptInput) -> None:
    """A turn that is stuck waits for the answer; words that were refused are in the prompt again."""
    is_stuck = session.is_stuck
    if is_stuck:
        where = "The agent waits; what it made is kept in memory until then."
        give_up = "stop the turn; what is not saved stays on the screen only"
    else:
        where = "Your text is in the prompt."
        give_up = "back to the text"

    def answered(answer: str | None) -> None:
        if is_stuck and answer == "retry":
            session.save_again()
        elif is_stuck:
            session.interrupt()
        elif answer == "retry":
            prompt.do("submit")

    answers = (Answer("r", "try again", "retry"), Answer("g", give_up, "give_up"))
    words = f"{problem.message} {problem.advice} {where}"
    app.push_screen(ChoiceScreen("Not saved", words, answers, is_alarming=True), answered)
