"""The command `diligent`: reads the words after it and imports only what they need."""

import gc
import sys
from collections.abc import Sequence

from diligent_tui import __version__
from diligent_tui.cli.plugins import keep_plugins_out
from diligent_tui.cli.streams import settle_streams

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    settle_streams()
    if words in (["--version"], ["-V"]):
        sys.stdout.write(f"diligent {__version__}\n")
        return 0
    keep_plugins_out()
    # Nearly all that a start makes is kept, so that collections only cost; who runs for long turns them on again.
    gc.disable()
    try:
        from diligent_tui.cli.run import run

        return run(words)
    except KeyboardInterrupt:
        # Before or after a run, which ends by itself.
        return INTERRUPTED
    finally:
        # The interpreter collects once more at its end, which frozen objects are spared.
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
