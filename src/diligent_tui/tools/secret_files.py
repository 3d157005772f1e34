"""Which files look as if they hold secrets, told by their names alone."""

import re
from itertools import pairwise
from pathlib import PurePath

SECRET_FOLDERS = frozenset(
    {".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".gcloud", ".password-store", "keychains"}
)
SECRET_FOLDER_PAIRS = frozenset({(".config", "gcloud"), (".config", "gh"), (".config", "op")})
SYSTEM_FOLDERS = frozenset({"proc", "sys", "dev"})
SECRET_NAMES = re.compile(
    r"""
    \.env | \.env\.(?!(?:example|sample|template|dist|defaults)$).+ | .+\.env | \.envrc
    | \.netrc | _netrc | \.pgpass | \.my\.cnf | \.npmrc | \.pypirc | \.git-credentials | \.dockercfg | \.htpasswd
    | credentials(?:\.\w+)? | \.credentials(?:\.\w+)? | secrets?\.(?:ya?ml|json|toml|env|ini) | \.secrets?
    | service[-_]?account.*\.json | client_secret.*\.json | auth\.json | shadow | gshadow
    | id_(?:rsa|dsa|ecdsa|ed25519)[^.]* | .+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def looks_secret(path: PurePath) -> bool:
    """True for keys, credentials and password files, and for all that the system shows of its processes and devices."""
    parts = [part.casefold() for part in path.parts]
    return (
        SECRET_NAMES.fullmatch(path.name) is not None
        or not SECRET_FOLDERS.isdisjoint(parts)
        or any(pair in SECRET_FOLDER_PAIRS for pair in pairwise(parts))
        or (path.is_absolute() and len(parts) > 1 and parts[1] in SYSTEM_FOLDERS)
    )
