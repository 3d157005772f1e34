import pytest

from diligent_tui.config.doubts import doubts_about
from tests.config.loading import Load


@pytest.mark.parametrize(
    ("member", "key", "words"),
    [
        ('"model": "nobody"', "model", "No model is called 'nobody'."),
        ('"compaction": {"model": "sonet"}', "compaction.model", "Did you mean"),
        ('"compaction": {"strategy": "prun"}', "compaction.strategy", "Did you mean prune"),
        ('"permissions": {"deny": ["bash(rm *)", "bsh(x"]}', "permissions.deny", "`bsh(x` is not a rule."),
    ],
)
def test_what_leads_nowhere_is_named_with_its_line(load: Load, member: str, key: str, words: str) -> None:
    loaded = load(user=f"{{\n\n {member}}}")
    assert loaded.problems == ()
    (doubt,) = doubts_about(loaded)
    assert (doubt.key, doubt.origin.layer, doubt.origin.line) == (key, "user", 3)
    assert words in doubt.text


def test_what_is_built_in_leads_somewhere(load: Load) -> None:
    assert doubts_about(load()) == ()


def test_a_model_of_ones_own_provider_is_known(load: Load) -> None:
    loaded = load(user='{"model": "mine/big", "provider": {"mine": {"baseUrl": "http://127.0.0.1:9/v1"}}}')
    assert doubts_about(loaded) == ()
