"""Which files are never changed without a question, in no mode: through them a project or a shell would run code."""

from pathlib import Path, PurePath

PROTECTED_FOLDERS = frozenset({".git", ".hg", ".svn", ".diligent", ".husky", ".vscode", ".idea", ".devcontainer"})
_PROTECTED_NAMES_WORDS = """
diligent.jsonc .gitconfig .gitmodules .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .pre-commit-config.yaml
.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .inputrc
config.fish .vimrc .exrc .tmux.conf authorized_keys
"""
PROTECTED_NAMES = frozenset(_PROTECTED_NAMES_WORDS.split())


def is_protected(real: PurePath, root: Path) -> bool:
    """True for version control and editor folders, our own files and start-up files; the path has no links in it."""
    parts = real.relative_to(root).parts if real.is_relative_to(root) else real.parts
    # A file system that folds case would take `.GIT` for `.git`.
    folded = [part.casefold() for part in parts]
    return not PROTECTED_FOLDERS.isdisjoint(folded) or (bool(folded) and folded[-1] in PROTECTED_NAMES)
