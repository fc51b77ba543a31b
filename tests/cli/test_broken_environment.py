"""What is wrong with the environment is neither the agent's nor the test's fault: exit 3, with the results kept."""

from tests.cli.conftest import VivaProject

AGENT = "agents:\n  remote: {agui: 'http://127.0.0.1:9/'}\n  local: {python: agent.py:echo}\nagent: remote\n"


def test_a_proxy_that_is_no_address_is_exit_3_and_named(project: VivaProject):
    project.write("viva.yaml", AGENT)
    project.cases({"id": "T1", "input": "hi you", "assert": {"type": "contains", "value": "hi"}})
    for value in ("nonsense", "http://", "socks9://x"):
        done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", http_proxy=value)
        assert done.code == 3, done.text
        assert "HTTP_PROXY in the environment is no address of a proxy" in done.err
        assert [row.get("fault") for row in project.rows("out.jsonl") if row["type"] == "result"] == ["target"]


def test_a_run_that_needs_no_proxy_is_not_disturbed_by_one(project: VivaProject):
    project.write("viva.yaml", AGENT)
    project.cases({"id": "T1", "input": "hi you", "assert": {"type": "contains", "value": "hi"}})
    assert project.viva("test", "-i", "cases.jsonl", "-n", "local", http_proxy="nonsense").code == 0
