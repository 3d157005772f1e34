"""Opens one session whole and prints, as JSON, the CPU seconds that took and the most memory it needed."""

import json
import resource
import sys
import time
from pathlib import Path

from diligent_tui.session.store import SessionStore


def main() -> None:
    """Open the session that is named, as the program does it, and keep it."""
    begun_s = time.process_time()
    store = SessionStore.open(Path(sys.argv[1]))
    used_s = time.process_time() - begun_s
    # Linux counts kilobytes, macOS bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    told = {"entries": len(store.tree.nodes), "cpu_seconds": used_s, "peak_megabytes": peak}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
