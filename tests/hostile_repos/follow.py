"""Follows a plan under the eyes of the witness: looks around in each repository, then asks a question there."""

import contextlib
import io
import json
import os
import sys
from pathlib import Path

from diligent_tui.cli.main import main
from diligent_tui.config.house import enter


def follow(plan: str) -> None:
    """Tell the witness what comes, do it, and tell what came of it."""
    for name, cwd, home in json.loads(Path(plan).read_text()):
        os.environ["HOME"] = home
        os.chdir(cwd)
        sys.audit("witness.look", name)
        house = enter(Path(cwd), os.environ, {})
        sys.audit("witness.house", house.settings.model_dump_json(), len(house.loaded.problems), len(house.strangers))
        sys.audit("witness.ask", name)
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            code = main(["-p", "hello", "--model", "offline/rehearsal"])
        sys.audit("witness.answer", code, said.getvalue(), complained.getvalue())


if __name__ == "__main__":
    follow(sys.argv[1])
