import subprocess
import sys

import pytest

from diligent_tui.config.look import Look, read_look
from diligent_tui.config.paths import Places
from tests.config.loading import Load


def test_without_settings_the_look_is_the_usual_one(places: Places) -> None:
    assert read_look(places, {}, trusted=True) == Look()


def test_the_look_is_what_the_full_settings_say(load: Load, places: Places) -> None:
    user = '{"theme": "light", "keys": {"send": "ctrl+s"}, "ui": {"mouse": false}} // mine'
    environ = {"DILIGENT_UI__REDUCED_MOTION": "yes"}
    settings = load(user=user, project='{"theme": "ansi", "ui": {"mouse": true}}', environ=environ).settings
    look = read_look(places, environ, trusted=True)
    assert look == Look("ansi", {"send": "ctrl+s"}, reduced_motion=True, mouse=True)
    assert (look.theme, look.keys, look.mouse) == (settings.theme, settings.keys, settings.ui.mouse)


def test_an_untrusted_project_has_no_say(load: Load, places: Places) -> None:
    load(project='{"theme": "ansi", "ui": {"mouse": false}}')
    assert read_look(places, {}, trusted=False) == Look()


def test_a_project_does_not_set_keys(load: Load, places: Places) -> None:
    load(project='{"keys": {"approve": "enter"}}')
    assert read_look(places, {}, trusted=True).keys == {}


def test_a_variable_wins(load: Load, places: Places) -> None:
    load(user='{"theme": "ansi", "ui": {"mouse": true}}')
    look = read_look(places, {"DILIGENT_THEME": "light", "DILIGENT_UI__MOUSE": "0"}, trusted=True)
    assert (look.theme, look.mouse) == ("light", False)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"theme": 1, "keys": [], "ui": 2}', '{"theme": "x", "ui": {"mouse": "no"}}', b"\xff", "\x00"]
)
def test_what_cannot_be_used_is_passed_over(load: Load, places: Places, text: str | bytes) -> None:
    load(user=text)
    assert read_look(places, {"DILIGENT_THEME": "", "DILIGENT_UI__MOUSE": "maybe"}, trusted=True) == Look()


def test_the_first_frame_does_not_wait_for_pydantic() -> None:
    code = "import sys, diligent_tui.config.look, diligent_tui.config.trust; print('pydantic' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
