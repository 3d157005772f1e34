"""Walking through earlier prompts."""

import pytest

from diligent_tui.ui.widgets.prompt.history_walk import MOST_PROMPTS, HistoryWalk


def test_a_walk_goes_back_to_the_oldest_and_no_further() -> None:
    walk = HistoryWalk(["one", "two"])
    assert [walk.older(""), walk.older("two"), walk.older("one")] == ["two", "one", None]


def test_the_unsent_text_comes_back_behind_the_newest() -> None:
    walk = HistoryWalk(["one", "two"])
    walk.older("unsent")
    walk.older("two")
    assert [walk.newer("one"), walk.newer("two"), walk.newer("unsent")] == ["two", "unsent", None]


def test_what_was_changed_on_the_way_is_there_again_until_something_is_sent() -> None:
    walk = HistoryWalk(["one", "two"])
    walk.older("")
    walk.older("two, changed")
    assert walk.newer("one") == "two, changed"
    walk.remember("sent")
    assert [walk.older(""), walk.older("sent")] == ["sent", "two"]


def test_an_empty_history_has_nowhere_to_go() -> None:
    walk = HistoryWalk()
    assert walk.older("unsent") is None
    assert walk.newer("unsent") is None
    assert not walk.is_walking


def test_is_walking_tells_whether_an_earlier_prompt_is_shown() -> None:
    walk = HistoryWalk(["one"])
    assert not walk.is_walking
    walk.older("")
    assert walk.is_walking
    walk.newer("one")
    assert not walk.is_walking


def test_the_same_prompt_twice_is_one_step() -> None:
    walk = HistoryWalk(["one"])
    walk.remember("two")
    walk.remember("two")
    assert [walk.older(""), walk.older("two")] == ["two", "one"]


@pytest.mark.parametrize("way", ["handed in", "remembered"])
def test_only_the_newest_prompts_are_kept(way: str) -> None:
    prompts = [str(number) for number in range(MOST_PROMPTS + 5)]
    walk = HistoryWalk(prompts if way == "handed in" else ())
    for prompt in prompts if way == "remembered" else ():
        walk.remember(prompt)
    oldest = shown = ""
    while (step := walk.older(shown)) is not None:
        oldest = shown = step
    assert oldest == "5"


def test_a_prompt_passes_the_door_before_it_is_shown_and_the_unsent_text_does_not() -> None:
    walk = HistoryWalk(["one"], str.upper)
    assert walk.older("unsent") == "ONE"
    assert walk.newer("ONE") == "unsent"


def test_the_users_own_texts_are_told_with_the_one_they_are_at_last() -> None:
    walk = HistoryWalk(["one", "two"])
    assert walk.written("unsent") == ("unsent",)
    walk.older("unsent")
    assert walk.written("two") == ("unsent",)
    assert walk.written("two, changed") == ("unsent", "two, changed")
    walk.older("two, changed")
    assert walk.written("one") == ("two, changed", "unsent")
    walk.newer("one")
    assert walk.written("two, changed") == ("unsent", "two, changed")
    walk.newer("two, changed")
    assert walk.written("unsent") == ("two, changed", "unsent")


@pytest.mark.parametrize("blank", ["", " \n"])
def test_of_a_walk_that_began_at_nothing_nothing_is_told(blank: str) -> None:
    walk = HistoryWalk(["one"])
    walk.older(blank)
    assert walk.written("one") == (blank,)
    assert walk.written("one, changed") == ("one, changed",)


def test_an_earlier_prompt_is_nobodys_text_however_the_door_shows_it() -> None:
    walk = HistoryWalk(["one"], str.upper)
    walk.older("unsent")
    assert walk.written("ONE") == ("unsent",)
