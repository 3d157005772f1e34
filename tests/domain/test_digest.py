"""The few lines that stand for a pruned output."""

from diligent_tui.domain.digest import LONGEST_LINE_CHARS, MOST_ERROR_LINES, digest


def test_a_digest_names_the_call_its_first_line_and_what_went_wrong() -> None:
    output = "collected 3\nfine\nE  ValueError: bad salt\n" + "error: again\n" * 9
    lines = digest("abcd1234", "bash", {"command": "pytest"}, output).splitlines()
    assert 'recall("abcd1234")' in lines[0]
    assert "12 lines" in lines[0]
    assert lines[1:3] == ["collected 3", "E  ValueError: bad salt"]
    assert len(lines) == 2 + MOST_ERROR_LINES


def test_of_a_very_long_line_only_what_is_shown_is_searched() -> None:
    shown, hidden = "error: first " + "x" * 5_000, "x" * 5_000 + " error: out of sight"
    lines = digest("abcd1234", "bash", {}, f"begin\n{hidden}\n{shown}").splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("error: first")
    assert all(len(line) <= LONGEST_LINE_CHARS for line in lines[1:])
