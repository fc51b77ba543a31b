"""What is wrong with the environment is neither the agent's nor the test's fault: exit 3, and no case is blamed."""

import json
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

CONFIG = """\
agents:
  remote: {agui: 'http://127.0.0.1:9/'}
  endpoint: {openai: 'http://127.0.0.1:9/v1', model: m}
  plain: {http: {url: 'http://127.0.0.1:9/', body: {text: '{{ message }}'}}}
  local: {python: agent.py:echo}
agent: local
connectors:
  model: {type: openai, options: {host: 'http://127.0.0.1:9', model: m, key: k}}
run: {connector: model}
"""
NEEDED_BY = {
    "an AG-UI agent": {"agent": "remote"},
    "an endpoint": {"agent": "endpoint"},
    "an HTTP agent": {"agent": "plain"},
    "a judge": {"assert": {"type": "agent", "value": "it is polite"}},
    "a simulator": {"simulator": {"use": "viva.simulator"}},
    "a simulator that is an endpoint": {"simulator": {"use": "endpoint"}},
}


@pytest.mark.parametrize("what", NEEDED_BY)
@pytest.mark.parametrize("proxy", [{"http_proxy": "nonsense"}, {"HTTPS_PROXY": "socks9://x"}], ids=str)
def test_a_proxy_that_is_no_address_is_exit_3_before_the_first_case(
    project: VivaProject, what: str, proxy: dict[str, Any]
):
    project.write("viva.yaml", CONFIG)
    project.cases({"id": "T1", "input": "hi you"}, {"id": "T2", "input": "hi you", **NEEDED_BY[what]})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", **proxy)
    assert done.code == 3, done.text
    name = next(iter(proxy)).upper()
    assert f"{name} in the environment is no address of a proxy (write it like http://host:8080" in done.err
    assert not (project.root / "out.jsonl").exists()
    assert "T1" not in done.text


def test_what_is_first_needed_during_a_run_ends_it(project: VivaProject):
    """Results so far are kept, and no case gets the blame."""
    project.write("viva.yaml", CONFIG)
    world = {"type": "http", "url": "http://127.0.0.1:9/", "status": 200}
    project.cases({"id": "T1", "input": "hi you"}, {"id": "T2", "input": "hi you", "assert": world})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", http_proxy="nonsense")
    assert done.code == 3, done.text
    rows = [json.loads(line) for line in (project.root / "out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["status"]) for row in rows if row["type"] == "result"] == [("T1", "passed")]


def test_a_run_that_needs_no_proxy_is_not_disturbed_by_one(project: VivaProject):
    project.write("viva.yaml", CONFIG)
    project.cases({"id": "T1", "input": "hi you", "assert": {"type": "contains", "value": "hi"}})
    assert project.viva("test", "-i", "cases.jsonl", "-n", "local", http_proxy="nonsense").code == 0


@pytest.mark.parametrize("broken", [{"SSLKEYLOGFILE": "nowhere/keys"}, {"SSL_CERT_FILE": "nowhere.pem"}], ids=str)
@pytest.mark.parametrize("agent", ["remote", "endpoint", "plain"])
def test_a_variable_that_tls_cannot_work_with_blames_no_case(project: VivaProject, agent: str, broken: dict[str, Any]):
    project.write("viva.yaml", CONFIG.replace("http://127", "https://127"))
    project.cases({"id": "T1", "input": "hi you"})
    done = project.viva("test", "-i", "cases.jsonl", "-n", agent, "-o", "out.jsonl", **broken)
    assert done.code == 3, done.text
    assert next(iter(broken)) in done.err
    assert not [line for line in (project.root / "out.jsonl").read_text().splitlines() if '"fault"' in line]
    # Without TLS it does not matter.
    project.write("viva.yaml", CONFIG)
    assert project.viva("test", "-i", "cases.jsonl", "-n", "local", **broken).code == 0
    assert project.viva("test", "-i", "cases.jsonl", "-n", agent, **broken).code == 1


@pytest.mark.parametrize("agent", ["remote", "endpoint", "plain"])
def test_a_proxy_that_nobody_runs_is_named(project: VivaProject, agent: str):
    project.write("viva.yaml", CONFIG)
    project.cases({"id": "T1", "input": "hi you"})
    done = project.viva("test", "-i", "cases.jsonl", "-n", agent, "-o", "out.jsonl", http_proxy="http://127.0.0.1:7")
    (row,) = [json.loads(line) for line in (project.root / "out.jsonl").read_text().splitlines()][1:-1]
    assert (done.code, row["fault"]) == (1, "target")
    assert "through the proxy 127.0.0.1:7 of HTTP_PROXY or HTTPS_PROXY: " in row["error"]


@pytest.mark.parametrize("where", ["variables", "agents", "cases", "nowhere"])
def test_a_value_that_is_not_utf_8_is_exit_3_where_it_is_named(project: VivaProject, where: str):
    named = {place: "${ENV.ODD_KEY}" if place == where else "x" for place in ("variables", "agents", "cases")}
    project.write("viva.yaml", f"{CONFIG}variables: {{V: '{named['variables']}'}}\n")
    project.write("viva.yaml", (project.root / "viva.yaml").read_text().replace("key: k", f"key: '{named['agents']}'"))
    project.cases({"id": "T1", "input": f"hi {named['cases']}", "assert": {"type": "contains", "value": "hi"}})
    done = project.viva("test", "-i", "cases.jsonl", ODD_KEY=b"caf\xe9-key-1".decode(errors="surrogateescape"))
    assert done.code == (0 if where == "nowhere" else 3), done.text
    assert "caf" not in done.text
    assert where == "nowhere" or "ODD_KEY in the environment is not UTF-8 (set it anew, or unset ODD_KEY)" in done.err
