"""What a command may know of the user's environment: enough to work, no keys, and nothing that waits for a person."""

import ctypes
import re
import sys
from collections.abc import Mapping
from pathlib import Path

PASSED_ON = re.compile(
    r"""
    HOME | USER | LOGNAME | LANG | LANGUAGE | LC_\w+ | TZ | TMPDIR | TMP | TEMP | XDG_(?:CONFIG|DATA|CACHE|STATE)_HOME
    | VIRTUAL_ENV | CONDA_PREFIX | CONDA_DEFAULT_ENV | PYENV_ROOT | NVM_DIR | NVM_BIN | JAVA_HOME
    | GOPATH | GOROOT | GOBIN | CARGO_HOME | RUSTUP_HOME | GEM_HOME | RBENV_ROOT
    | SSL_CERT_FILE | SSL_CERT_DIR | REQUESTS_CA_BUNDLE | NODE_EXTRA_CA_CERTS
    """,
    re.VERBOSE,
)
SECRET_WORDS = re.compile(r"key|secret|token|passw|pwd|credential|auth", re.IGNORECASE)
NOBODY_ANSWERS = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_PAGER": "cat",
    "EDITOR": "true",
    "VISUAL": "true",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
}
PATH_IF_NONE = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
PR_SET_DUMPABLE = 4


def command_environment(ours: Mapping[str, str], shell: str) -> dict[str, str]:
    """The environment for a command, made from our own by an allow-list."""
    passed = {
        name: value for name, value in ours.items() if PASSED_ON.fullmatch(name) and not SECRET_WORDS.search(name)
    }
    return {**passed, **NOBODY_ANSWERS, "PATH": safe_search_path(ours.get("PATH", "")), "SHELL": shell}


def safe_search_path(search_path: str) -> str:
    """PATH without relative folders, through which a workspace could put its own `ls` first."""
    return ":".join(part for part in search_path.split(":") if Path(part).is_absolute()) or PATH_IF_NONE


def hide_own_environment() -> bool:
    """Keep children of the same user from reading our keys in /proc; to be called once at start. True if it worked."""
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return bool(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
