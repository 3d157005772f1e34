"""The allow-list under attack: of each mutated command that it lets through, what bash and a list of dangers say."""

import random
import tempfile
from pathlib import Path

from bench.frame import Measure, at_least, at_most
from diligent_tui.tools.harmless import is_harmless
from tests.tools.hostile_commands import HOSTILE
from tests.tools.ordinary_commands import ORDINARY
from tests.tools.shell.mutations import Jail, mutated

MUTATIONS = 100_000
QUICK_MUTATIONS = 5_000
SEED = 33


def run(quick: bool) -> list[Measure]:
    """Count what is let through and should not be, and what is asked and need not be."""
    with tempfile.TemporaryDirectory() as folder:
        jail = Jail.make(Path(folder))
        chance = random.Random(SEED)
        count = QUICK_MUTATIONS if quick else MUTATIONS
        commands = [mutated(chance) for _ in range(count)]
        flaws = [flaw for flaw in map(jail.flaw, commands) if flaw]
        hostile = [each for each in HOSTILE if is_harmless(each, jail.workplace, jail.search_path)]
        # A usual project keeps no keys.
        for key in (jail.workplace.root / "keys").iterdir():
            key.unlink()
        asked = [each for each in ORDINARY if not is_harmless(each, jail.workplace, jail.search_path)]
    for said in (*flaws, *hostile):
        print(said)
    return [
        at_least("mutated commands", count, "", count),
        at_most("of these let through wrongly", len(flaws), "", 0),
        at_least("hostile commands", len(HOSTILE), "", 300),
        at_most("of these let through", len(hostile), "", 0),
        at_least("ordinary commands", len(ORDINARY), "", 100),
        at_most("of these asked", len(asked), "", 5),
    ]
