"""What was said before is found, also in other words and other scripts; what only shares a word is not."""

import pytest

from diligent_tui.knowledge.duplicates import nearest
from tests.knowledge.facts import fact


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("Tests run with make test.", "Tests are run with `make test`"),
        ("Tests run with make test.", "Tests run with uv run pytest."),
        ("The server listens on port 8080", "The server listens on port 8081"),
        ("Use tabs for indentation", "Use spaces for indentation, four of them"),
        ("The user prefers short commit messages", "User prefers commit messages that are SHORT"),
        ("Der Build läuft mit make", "Der Build läuft jetzt mit ninja"),
        ("测试使用 make test 运行", "测试用 make test 来运行"),
        ("データベースはPostgreSQLを使う", "データベースにはＰｏｓｔｇｒｅＳＱＬを使います"),
        ("C++", "c++"),
    ],
)
def test_much_the_same_is_near(said: str, new: str) -> None:
    entry = fact("a", said)
    (near,) = nearest(new, [fact("x", "An architecture decision record exists."), entry])
    assert near.entry == entry
    assert nearest(said, [fact("b", new)])[0].similarity == pytest.approx(near.similarity)


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("Tests run with make test.", "The database is PostgreSQL 16."),
        ("The server listens on port 8080", "The client retries three times"),
        ("The user prefers short commit messages", "The user prefers dark themes"),
        ("src/app.py holds the main loop", "src/app.py is formatted with ruff"),
        ("The API returns dates in UTC", "The API returns errors as JSON"),
        ("测试使用 make test 运行", "数据库是 PostgreSQL"),
        ("...", "---"),
        ("", "anything"),
    ],
)
def test_another_matter_is_not_near(said: str, new: str) -> None:
    assert nearest(new, [fact("a", said)]) == ()


def test_the_likest_comes_first_and_no_more_than_asked_for() -> None:
    entries = [fact(name, f"Tests run with make test {name}") for name in ("b", "a", "c", "d")]
    found = nearest("Tests run with make test a", entries, most=2)
    assert [near.entry.id for near in found] == ["a", "b"]
    assert found[0].similarity == 1.0
