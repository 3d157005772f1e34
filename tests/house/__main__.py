"""Judge the whole tree: `python -m tests.house` names each violation as file:line and exits 1 if there is one."""

import sys
from pathlib import Path

from tests.house.rules import judge, packages_are_declared
from tests.house.source import Violation
from tests.house.tree import ROOT, project_files


def judge_tree(root: Path) -> list[Violation]:
    """Every violation under a root, in the order of the files."""
    files = list(project_files(root))
    found = list(packages_are_declared({path.relative_to(root).as_posix() for path in files}))
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += judge(path.relative_to(root).as_posix(), text)
    return found


def main(argv: list[str]) -> int:
    """Print what is wrong, if anything, in the tree given or in ours."""
    found = judge_tree(Path(argv[0]) if argv else ROOT)
    for violation in found:
        sys.stdout.write(f"{violation}\n")
    sys.stdout.write(f"House rules: {len(found)} broken.\n" if found else "House rules kept.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
