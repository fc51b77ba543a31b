"""A name → a target as data, by what the kinds declare."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vivavoce.engine.resolve import refuse_bad_address, resolve_agent
from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config


@pytest.mark.parametrize(
    ("name", "kind", "config"),
    [
        ("agui:http://x/a?b=1", "agui", {"agui": "http://x/a?b=1"}),
        ("agui-replay:runs?timing=none", "agui-replay", {"agui-replay": "runs?timing=none"}),
        ("openai:http://x/v1?model=m&n=2", "openai", {"openai": "http://x/v1", "model": "m", "options": {"n": 2}}),
        ("python:m:f", "python", {"python": "m:f"}),
        ("cmd:echo hi", "cmd", {"cmd": "echo hi"}),
        ("scripts:tests.echo", "script", {"script": "tests.echo"}),
        ("script:tests.echo", "script", {"script": "tests.echo"}),
        ("script_tests:a.b", "script_tests", {"script_tests": "a.b"}),
        ("package:p", "package", {"package": "p"}),
    ],
)
def test_a_reference_is_read_by_its_kind(tmp_path: Path, name: str, kind: str, config: dict[str, Any]):
    spec = resolve_agent(name, Project(root=tmp_path))
    assert (spec.id, spec.kind, spec.config) == (name, kind, config)


def test_a_named_agent_has_its_fields_and_its_limits(tmp_path: Path):
    entry = AgentConfig(kind="cmd", fields={"cmd": ["x"]}, max_parallel=2, rate="1/s")
    spec = resolve_agent("agents:a", Project(root=tmp_path, config=Config(agents={"a": entry})))
    assert (spec.id, spec.kind, spec.config) == ("a", "cmd", {"cmd": ["x"], "max_parallel": 2, "rate": "1/s"})


HOW = ["name one like", "agui:URL", "openai:URL?model=M", "python:module:function", "or add it to viva.yaml"]


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        ("http://x/v1", ["did you mean", "agui:http://x/v1", "openai:http://x/v1?model=…", "`http: {url: http://x/v1"]),
        ("shop.py", ["did you mean python:shop.py:FUNCTION?"]),
        ("pyhton:shop:f", ["did you mean 'python'?"]),
        ("agui:", HOW),
        ("nobody", HOW),
    ],
)
def test_a_name_that_nothing_has_comes_with_what_was_probably_meant(tmp_path: Path, name: str, hints: list[str]):
    with pytest.raises(UsageError) as refused:
        resolve_agent(name, Project(root=tmp_path))
    assert [hint for hint in hints if hint not in str(refused.value.hint)] == []


@pytest.mark.parametrize(
    ("name", "bad"), [("agui:x", True), ("openai:http://", True), ("agui:http://x", False), ("cmd:x", False)]
)
def test_an_address_is_checked_by_its_kind(tmp_path: Path, name: str, bad: bool):
    spec = resolve_agent(name, Project(root=tmp_path))
    if bad:
        with pytest.raises(UsageError, match="not an address"):
            refuse_bad_address(spec, spec.config)
    else:
        refuse_bad_address(spec, spec.config)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("openai:gpt-4o", "openai:https://api.openai.com/v1?model=gpt-4o"),
        ("openai:chat:gpt-4o", "openai:https://api.openai.com/v1?model=gpt-4o"),
        ("anthropic:claude-x", "anthropic:https://api.anthropic.com?model=claude-x"),
        ("openai:localhost", "write it like https://host/path"),
        ("openai:my.host:8000", "write it like https://host/path"),
        ("agui:x", "write it like https://host/path"),
    ],
)
def test_a_model_named_as_other_tools_name_it_gets_the_address_of_its_provider(tmp_path: Path, name: str, hint: str):
    spec = resolve_agent(name, Project(root=tmp_path))
    with pytest.raises(UsageError) as refused:
        refuse_bad_address(spec, spec.config)
    assert hint in (refused.value.hint or "")


def test_resolving_imports_nothing_that_speaks_a_protocol():
    code = (
        "import sys; from pathlib import Path; from vivavoce.configuration.config_check import checked_config\n"
        "from vivavoce.engine.resolve import resolve_agent; from vivavoce.project.project import Project\n"
        "entries = {'a': {'agui': 'http://x'}, 'o': {'openai': 'http://x'}, 'p': {'package': 'p'}}\n"
        "config = checked_config({'agents': entries}, 'viva.yaml', lambda steps: 0, Path('/'))\n"
        "resolve_agent('python:m:f', Project(root=Path('/'), config=config))\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"aiohttp", "vivavoce.targets.ag_ui.target", "vivavoce.targets.agent_package.target"}.isdisjoint(loaded)
