"""`diligent -p` as a person or a script would use it: the real command, in a real process."""

from pathlib import Path

from tests.cli.conftest import Run, Start


def test_an_answer_with_two_real_tool_calls(run: Run) -> None:
    done = run("-p", "read README.md then run echo hi")
    assert done.returncode == 0
    assert "seven of them" in done.stdout
    assert "✓ read  README.md" in done.stderr
    assert "✓ bash  echo hi" in done.stderr


def test_the_last_session_goes_on(run: Run) -> None:
    run("-p", "run echo first")
    done = run("-c", "-p", "what did I ask?")
    assert done.returncode == 0
    assert "run echo first" in done.stdout
    listed = run("--list").stdout.splitlines()
    assert len(listed) == 1
    assert "run echo first" in listed[0]


def test_a_session_is_found_by_the_beginning_of_its_id(run: Run, project: Path) -> None:
    run("-p", "run echo first")
    session = next((project / ".diligent" / "sessions").glob("*.jsonl"))
    assert "run echo first" in run("-r", session.stem[:16], "-p", "what did I ask?").stdout
    missing = run("-r", "19990101", "-p", "hello")
    assert missing.returncode == 1
    assert "No session 19990101" in missing.stderr


def test_wrong_settings_are_named_and_the_start_goes_on(run: Run, environment: dict[str, str]) -> None:
    settings = Path(environment["HOME"]) / ".config" / "diligent" / "diligent.jsonc"
    settings.parent.mkdir(parents=True)
    settings.write_text('{\n  // mine\n  "modle": "offline",\n}\n')
    done = run("-p", "hello")
    assert done.returncode == 0
    assert "diligent.jsonc" in done.stderr
    assert "modle" in done.stderr
    assert "model" in done.stderr


def test_an_untrusted_folder_is_said_and_its_instructions_are_used_only_when_trusted(run: Run, project: Path) -> None:
    (project / "AGENTS.md").write_text("SENTINEL-SWAN")

    def system_prompts() -> str:
        return "".join(path.read_text() for path in (project / ".diligent" / "sessions").glob("*.jsonl"))

    done = run("-p", "hello")
    assert "not trusted" in done.stderr
    assert "SENTINEL-SWAN" not in system_prompts()
    run("-p", "hello", "--trust")
    assert "SENTINEL-SWAN" in system_prompts()


def test_sessions_that_came_with_a_folder_are_not_offered(run: Run, project: Path) -> None:
    planted = project / ".diligent" / "sessions"
    planted.mkdir(parents=True)
    (planted / "20260101000000-abcdef.jsonl").write_text('{"type":"session","version":2,"id":"x","timestamp":"t"}\n')
    assert "abcdef" not in run("--list").stdout
    assert run("-c", "-p", "hello").returncode == 1
    assert "abcdef" in run("--list", "--trust").stdout


def test_hostile_text_does_not_reach_the_terminal(run: Run, project: Path) -> None:
    (project / "evil.txt").write_bytes(b"before \x1b]52;c;aGk=\x07\x1b[2J after\n")
    done = run("-p", "read evil.txt")
    assert "\x1b" not in done.stdout + done.stderr
    assert "before" in done.stdout


def test_kill_in_the_middle_of_an_answer_loses_neither_prompt_nor_words(run: Run, start: Start, project: Path) -> None:
    child = start("-p", "tell me [[t=4000 r=200 id=zz]]")
    sessions = project / ".diligent" / "sessions"
    while not any('"partial"' in path.read_text() for path in sessions.glob("*.jsonl")):
        assert child.poll() is None
    child.kill()
    child.communicate()
    done = run("-c", "-p", "what did I ask?")
    assert done.returncode == 0
    assert "tell me" in done.stdout
    assert '"stopReason":"interrupted"' in next(sessions.glob("*.jsonl")).read_text()


def test_help_shows_examples(run: Run) -> None:
    done = run("--help")
    assert done.returncode == 0
    assert 'diligent -p "read README.md"' in done.stdout
