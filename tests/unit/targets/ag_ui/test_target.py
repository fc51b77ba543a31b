"""An AG-UI app as a target: what a conversation is opened with."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agui_server import replies_with, run, serving, text
from tests.fakes.agui_talk import talking_to
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import Config
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.ag_ui.target import AgUiTarget

HI = replies_with(run(*text("Hi")))


async def sent(**config: Any) -> tuple[dict[str, Any], Any]:
    """The body and the headers of one run."""
    async with serving(*HI) as server, talking_to(server.url, **config) as talk:
        await talk.say("hello")
    return server.bodies[0], server.headers[0]


async def test_state_context_and_properties_are_sent_with_variables_put_in():
    body, _ = await sent(
        state={"who": "${WHO}"},
        context=[{"description": "c", "value": "${WHO}"}],
        forwarded_props={"p": "${WHO}"},
        variables={"WHO": "ann"},
    )
    assert (body["state"], body["forwardedProps"]) == ({"who": "ann"}, {"p": "ann"})
    assert body["context"] == [{"description": "c", "value": "ann"}]


async def test_the_state_of_a_case_replaces_the_agents(tmp_path: Path):
    async with serving(*HI, *HI) as server, surroundings_at(tmp_path) as around:
        config = {"agui": server.url, "state": {"a": 1}}
        target = AgUiTarget(TargetSpec(id="shop", kind="agui", config=config), around)
        for state in ({"b": 2}, None):
            session = await target.open(CallContext(session_id="s", state=state))
            await session.send(Line(content="hello"), Transcript())
            await session.close()
        assert target.card.where == server.url
    assert [body["state"] for body in server.bodies] == [{"b": 2}, {"a": 1}]


async def test_tools_of_the_case_replace_the_agents_and_those_the_projects(tmp_path: Path):
    project = Config(tools=[{"name": "a", "description": "project"}, {"name": "b", "description": "project"}])
    own = [{"name": "b", "description": "agent"}, {"name": "c", "description": "agent"}]
    async with surroundings_at(tmp_path, project) as around:
        config = {"agui": "http://127.0.0.1:9", "tools": own}
        target = AgUiTarget(TargetSpec(id="shop", kind="agui", config=config), around)
        offered = {tool.name: tool.description for tool in target.card.tools}
    assert offered == {"a": "project", "b": "agent", "c": "agent"}
    body, _ = await sent(tools=own, stubs=[FrontendTool(name="c", description="case")])
    assert {tool["name"]: tool["description"] for tool in body["tools"]} == {"b": "agent", "c": "case"}


async def test_headers_have_their_variables_and_are_secrets():
    secrets = Secrets()
    _, headers = await sent(headers={"X-Key": "${KEY}"}, variables={"KEY": "abcdefgh12345"}, secrets=secrets)
    assert headers["x-key"] == "abcdefgh12345"
    assert "abcdefgh" not in secrets.mask("it is abcdefgh12345")


async def test_the_envelope_of_copilotkit_names_the_agent():
    body, _ = await sent(envelope="copilotkit", options={"agentId": "shop"})
    assert ("shop" in str(body), "messages" in body) == (True, False)


@pytest.mark.parametrize(
    ("config", "what"),
    [
        ({"agui": "localhost:8000"}, "agent 'shop': not an address: 'localhost:8000'"),
        ({"agui": "http://${NO_SUCH}"}, "agent 'shop': .*NO_SUCH"),
        ({"agui": "http://x", "idle_timeout": "soon"}, "agent 'shop': idle_timeout"),
        ({"agui": "http://x", "tools": [{"answer": "yes"}]}, "agent 'shop': "),
    ],
)
async def test_what_is_wrong_names_the_agent(tmp_path: Path, config: dict[str, Any], what: str):
    async with surroundings_at(tmp_path) as around:
        with pytest.raises(UsageError, match=what):
            await AgUiTarget(TargetSpec(id="shop", kind="agui", config=config), around).open(
                CallContext(session_id="s")
            )
