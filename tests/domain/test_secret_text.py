"""A secret is told from talk about secrets."""

import pytest

from diligent_tui.domain.secret_text import is_secret_value, kind_of_secret, looks_secret, without_secrets

LETTERS = "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "a private key"),
        ("-----BEGIN PRIVATE KEY-----", "a private key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "a private key"),
        (f"the key is sk-ant-{LETTERS}", "an API key"),
        (f"sk-proj-{LETTERS}", "an API key"),
        (f"sk-{LETTERS}{LETTERS}", "an API key"),
        (f"AIza{LETTERS}{LETTERS[:8]}", "an API key"),
        (f"stripe uses sk_live_{LETTERS}", "an API key"),
        (f"ghp_{LETTERS}{LETTERS}", "an access token"),
        (f"github_pat_{LETTERS}", "an access token"),
        (f"glpat-{LETTERS}", "an access token"),
        ("xoxb-123456789012-abcdef", "an access token"),
        ("AKIAABCDEFGHIJKLMNOP", "an access token"),
        (f"eyJ{LETTERS}.eyJ{LETTERS}.{LETTERS}", "an access token"),
        (f"curl -H 'Authorization: Bearer {LETTERS}'", "an access token"),
        ("postgres://app:hunter2@db/prod", "a password in an address"),
        ("password=hunter2", "a password or key with its value"),
        ('"api_key": "9f8e7d6c5b4a"', "a password or key with its value"),
        (f"The deploy token: {LETTERS}", "a password or key with its value"),
        ("DB_PASSWORD='tr0ub4dor&3'", "a password or key with its value"),
    ],
)
def test_a_secret_is_seen_and_not_repeated(text: str, kind: str) -> None:
    assert kind_of_secret(text) == kind
    assert looks_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The API key is read from ANTHROPIC_API_KEY.",
        "api_key: OPENAI_API_KEY_V2",
        "Set password=<your password> in .env",
        "password: ${DB_PASSWORD}",
        "token = os.environ['TOKEN_2']",
        "token=settings.auth.token2",
        "Passwords are hashed with argon2id: 19 MiB, 2 rounds.",
        "password: argon2id",
        "The secret: write tests first.",
        "secret: vault/prod/db-2024",
        "Keys begin with sk-ant- and tokens with ghp_.",
        "sk-learn is not used",
        "task-runner-and-other-long-hyphenated-words-are-fine",
        "postgres://user:password@localhost/test",
        "postgres://app:$PASSWORD@db/prod",
        "https://example.com:8080/path@2",
        "git@github.com:owner/repo.git",
        "Commit 3ab266b0f2c4d9e8a7b6c5d4e3f2a1b0c9d8e7f6 broke the build.",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "Use the header `Authorization: Bearer <token>`.",
        "max_tokens=200000 and token_limit: 8192",
        "the tokenizer: cl100k_base",
        "keyboard: qwerty1234567",
        "Session ids look like 20260102030405-abcdef.",
        "UUID 123e4567-e89b-12d3-a456-426614174000",
        "パスワードは環境変数から読む",
    ],
)
def test_talk_about_secrets_passes(text: str) -> None:
    assert kind_of_secret(text) is None


@pytest.mark.parametrize("piece", ["password=", "a://b:", "eyJ", "Bearer ", "-----BEGIN ", "sk-", "x" * 7 + ":="])
def test_a_long_text_is_judged_in_a_moment(piece: str) -> None:
    """Patterns that go back over a text would take hours here."""
    assert not looks_secret(piece * 20_000)
    assert without_secrets(piece * 20_000, is_cut=True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1 -----BEGIN RSA PRIVATE KEY-----\n2 MIIE\n3 -----END RSA PRIVATE KEY-----\n4 on", "1 [private key]\n4 on"),
        ("a -----BEGIN PRIVATE KEY-----\nMIIE", "a [private key]"),
        (f"echo sk-ant-api03-{LETTERS} password=hunter3", "echo [API key] password=[hidden]"),
        (f"ghp_{LETTERS}{LETTERS}, AKIAABCDEFGHIJKLMNOP", "[access token], [access token]"),
        (f"cookie eyJ{LETTERS}.eyJ{LETTERS}.{LETTERS}!", "cookie [access token]!"),
        (f"-H 'Authorization: Bearer {LETTERS}'", "-H 'Authorization: Bearer [access token]'"),
        ("postgres://app:hunter2@db/prod", "postgres://app:[password]@db/prod"),
        ('{"api_key": "9f8e7d6c5b4a"}', '{"api_key": "[hidden]"}'),
        ("Set password=<your password> in .env", "Set password=<your password> in .env"),
    ],
)
def test_a_secret_is_taken_out_and_what_stands_around_it_stays(text: str, left: str) -> None:
    assert without_secrets(text) == left
    assert without_secrets(left) == left


@pytest.mark.parametrize(
    "text",
    [
        "x ghp_aB3d",
        "x sk-ant-api03-aB3d",
        "x eyJaB3d.eyJ",
        f"x eyJ{'aB3d' * 200}",
        "x AKIAaB3d",
        "x -H Bearer aB3d",
        "x postgres://app:aB3d",
        "x DB_PASSWORD='aB3d",
    ],
)
def test_half_a_secret_at_the_end_of_a_text_that_was_cut_is_one_too(text: str) -> None:
    assert "aB3d" in without_secrets(text)
    left = without_secrets(text, is_cut=True)
    assert left.endswith("[hidden]")
    assert left.startswith("x ")
    assert "aB3d" not in left


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("password", "hunter3", True),
        ("db_password", "hunter3", True),
        ("apiKey", "9f8e7d6c5b4a", True),
        ("command", "hunter3", False),
        ("token", "settings.auth.token2", False),
        ("max_tokens", "200000", False),
    ],
)
def test_a_name_tells_that_its_value_is_a_secret(name: str, value: str, is_secret: bool) -> None:
    assert is_secret_value(name, value) == is_secret
