"""What decides how an agent answers: the environment its configuration names, its own files, its secrets."""

from base64 import b64encode
from pathlib import Path

import msgspec
import pytest
from tests.fakes.surroundings import write_files

from vivavoce.engine.agent_files import (
    content_of,
    environment_named_in,
    files_below,
    files_in,
    files_named_in,
    remember_secrets,
)
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import Config


@pytest.mark.parametrize(
    "written", ["${ENV.A_KEY}", "Bearer ${ ENV.A_KEY}", "$ENV.A_KEY", ["x", {"deep": "${ENV.A_KEY}"}]]
)
def test_variables_are_found_wherever_they_are_named(monkeypatch: pytest.MonkeyPatch, written: object):
    monkeypatch.setenv("A_KEY", "value")
    assert environment_named_in(written) == {"A_KEY": "value"}
    monkeypatch.delenv("A_KEY")
    assert environment_named_in(written) == {"A_KEY": None}


WRITTEN_OUT = {
    "header": {"agents": {"a": {"kind": "agui", "fields": {"headers": {"Authorization": "Bearer sk-written"}}}}},
    "key": {"agents": {"a": {"kind": "openai", "fields": {"key": "sk-written"}}}},
    "key deep inside": {"agents": {"a": {"kind": "http", "fields": {"http": {"query": {"api_key": "sk-written"}}}}}},
    "header deep inside": {"agents": {"a": {"kind": "http", "fields": {"http": {"headers": {"X": "sk-written"}}}}}},
    "command": {"agents": {"a": {"kind": "cmd", "fields": {"cmd": ["run", "--token", "sk-written"]}}}},
    "command of a server": {"agents": {"a": {"kind": "agui", "fields": {"serve": {"cmd": "run --token sk-written"}}}}},
    "variable of a command": {"agents": {"a": {"kind": "cmd", "fields": {"env": {"MY_TOKEN": "sk-written"}}}}},
    "address": {"agents": {"a": {"kind": "agui", "fields": {"agui": "http://user:sk-written@host/"}}}},
    "query": {"agents": {"a": {"kind": "agui", "fields": {"agui": "http://host/?api_key=sk-written"}}}},
    "flag in an address": {"agents": {"a": {"kind": "cmd", "fields": {"cmd": "run --url=http://u:sk-written@host/"}}}},
    "header of a command": {"agents": {"a": {"kind": "mcp", "fields": {"mcp": {"cmd": ["-H", "X-Key: sk-written"]}}}}},
    "quoted header": {
        "agents": {"a": {"kind": "cmd", "fields": {"cmd": "curl -H 'Authorization: Bearer sk-written'"}}}
    },
    "body as text": {"agents": {"a": {"kind": "http", "fields": {"http": {"body": '{"token": "sk-written"}'}}}}},
    "connection string": {"agents": {"a": {"kind": "cmd", "fields": {"env": {"DB": "Server=x;Pwd=sk-written"}}}}},
    "percent-encoded": {"agents": {"a": {"kind": "agui", "fields": {"agui": "http://h/?to=x%3Ftoken%3Dsk-written"}}}},
    "variable": {"variables": {"SHOP_TOKEN": "sk-written"}},
    "connector": {"connectors": {"c": {"type": "openai", "options": {"key": "sk-written"}}}},
    "environment": {"variables": {"X": "${ENV.A_KEY}"}},
}


@pytest.mark.parametrize("where", WRITTEN_OUT)
def test_what_a_configuration_writes_out_or_names_is_secret_from_the_start(monkeypatch: pytest.MonkeyPatch, where: str):
    monkeypatch.setenv("A_KEY", "sk-written")
    secrets = Secrets()
    remember_secrets(msgspec.convert(WRITTEN_OUT[where], Config), secrets)
    assert secrets.mask("say sk-written") == "say ***"
    assert secrets.mask("host, Bearer, openai, ${ENV.A_KEY}") == "host, Bearer, openai, ${ENV.A_KEY}"


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("OPENAI_API_KEY", "abc12345", True),
        ("MY_TOKEN", "x" * 50_000 + "1", True),
        ("DB_PASSWORD", "postgres", False),
        ("A_TOKEN", "1234567890", False),
        ("A_TOKEN", "a1b2c3", False),
        ("PATH_OF_IT", "abc12345", False),
    ],
)
def test_keys_in_the_environment_are_secrets_unless_they_look_like_words(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, secret: bool
):
    """The library that an agent calls quotes its key in an error."""
    monkeypatch.setenv(name, value)
    secrets = Secrets()
    remember_secrets(Config(), secrets)
    assert (value not in secrets.mask(f"wrong key {value}")) is secret


@pytest.mark.parametrize("name", ["HTTP_PROXY", "https_proxy", "ALL_PROXY"])
def test_the_password_of_a_proxy_is_secret(monkeypatch: pytest.MonkeyPatch, name: str):
    """A proxy that refuses a request may quote what it was sent."""
    monkeypatch.setenv(name, "http://me:pass%40word@proxy.invalid:8080")
    secrets = Secrets()
    remember_secrets(Config(), secrets)
    assert secrets.mask("denied: me pass@word pass%40word") == "denied: me *** ***"
    assert b64encode(b"me:pass@word").decode() not in secrets.mask("Basic bWU6cGFzc0B3b3Jk")


def test_the_files_of_an_agent_are_those_of_the_project(tmp_path: Path):
    written = {"agent.py": "a", "pkg/mod.py": "b", "assistants/x/package.yao": "{}", "assistants/x/prompts.yml": "c"}
    write_files(tmp_path / "project", written)
    project = Project(root=tmp_path / "project", config=Config())

    def found(*named: str) -> list[str]:
        return [path.name for path in files_named_in({"cmd": list(named)}, project)]

    assert found("agent.py:reply") == ["agent.py"]
    assert found("pkg.mod:reply") == ["mod.py"]
    assert found("assistants/x") == ["package.yao", "prompts.yml"]
    assert found("/etc/passwd", "gone.py") == []
    assert files_below(tmp_path, project) == []


def test_the_content_of_a_large_file_is_its_size_and_time(tmp_path: Path):
    (tmp_path / "small").write_text("text")
    (tmp_path / "large").write_bytes(b"x" * (2**20 + 1))
    assert content_of(tmp_path / "small") == ["small", "text"]
    assert content_of(tmp_path / "large")[:2] == ["large", 2**20 + 1]
    assert content_of(tmp_path / "gone")[0] == "gone"


@pytest.mark.parametrize("word", ["x" * 300, "x" * 70_000, "a/" * 3000, "a." * 3000, "\0", "a\0b.py", "x" * 255 + ":f"])
def test_a_word_that_can_be_no_name_names_no_file(tmp_path: Path, word: str):
    project = Project(root=tmp_path)
    assert list(files_named_in({"headers": {"X-Key": word}, "cmd": ["python", word]}, project)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python3 agent.py notes", ["agent.py", "a.md"]),
        ("python3 'my agent.py' --notes=notes", ["my agent.py", "a.md"]),
        ("notes", ["a.md"]),
        ("answers questions about notes", []),
        (". .. / ~ = : file:// scripts: \0", []),
        ("x" * 5_000 + " agent.py", []),
    ],
)
def test_a_folder_counts_where_a_command_names_it_and_not_in_prose(tmp_path: Path, text: str, expected: list[str]):
    write_files(tmp_path, {"agent.py": "", "my agent.py": "", "notes/a.md": ""})
    project = Project(root=tmp_path, config=Config())
    assert {path.name for path in files_named_in({"cmd": text}, project)} == set(expected)


def test_links_in_circles_end_and_what_tools_leave_is_no_source(tmp_path: Path):
    write_files(tmp_path, {"src/a.py": "", "src/node_modules/b.js": "", "src/__pycache__/a.pyc": "", "src/x.log": ""})
    (tmp_path / "src" / "again").symlink_to(tmp_path / "src")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.py").touch()
    (tmp_path / "src" / "linked").symlink_to(tmp_path / "other")
    assert [path.name for path in files_in(tmp_path / "src")] == ["a.py", "c.py"]


def test_bytes_that_are_no_text_are_compared_too(tmp_path: Path):
    (tmp_path / "one").write_bytes(b"\xff\x80")
    (tmp_path / "two").write_bytes(b"\xff\x81")
    assert content_of(tmp_path / "one")[1:] != content_of(tmp_path / "two")[1:]
