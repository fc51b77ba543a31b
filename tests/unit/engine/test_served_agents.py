"""Which agents have a server, and for how long."""

import pytest
from tests.fakes.surroundings import surroundings_at

from vivavoce.engine.served_agents import ServedAgents, address_in, later_variables, per_attempt, refuse_shared_server
from vivavoce.errors import UsageError
from vivavoce.project.settings import AgentConfig, Config
from vivavoce.protocols import AgentCard, TargetSpec

SERVE = {"cmd": ["app"], "ready": "${PORT}", "per": "attempt"}


class Anyone:
    card = AgentCard(id="shop", kind="http")


def spec(url: str = "http://127.0.0.1:${PORT}/", **serve) -> TargetSpec:
    return TargetSpec(id="shop", kind="http", config={"http": {"url": url}, "serve": {**SERVE, **serve}})


async def test_a_target_is_served_as_its_fields_say(tmp_path):
    config = Config(agents={"shop": AgentConfig(kind="http", fields=spec().config)})
    async with surroundings_at(tmp_path, config) as lent:
        agents = ServedAgents(lent)
        alone = agents.served(Anyone(), TargetSpec(id="shop", kind="http"))
        shared = agents.served(Anyone(), spec(per="run", ready="up"))
        own = agents.served(Anyone(), spec())
        assert [agents.per_attempt(target) for target in (alone, shared, own)] == [None, None, own]
        assert isinstance(alone, Anyone)


async def test_nobody_looks_for_servers_where_no_agent_has_one_per_attempt(tmp_path):
    async with surroundings_at(tmp_path, Config()) as lent:
        assert not ServedAgents(lent).some_per_attempt


def test_the_port_is_a_variable_of_attempts_with_a_server_of_their_own():
    assert later_variables(spec())
    assert not later_variables(spec(per="run"))
    assert not per_attempt(None)


def test_one_address_for_all_attempts_is_refused():
    refuse_shared_server(spec())
    refuse_shared_server(spec("http://127.0.0.1:80/", per="run"))
    with pytest.raises(UsageError, match="is the same for all of them"):
        refuse_shared_server(spec("http://127.0.0.1:80/"))


@pytest.mark.parametrize(
    ("value", "address"),
    [({"url": "http://x"}, "http://x"), ("https://y", "https://y"), ("app.py:f", None), (None, None)],
)
def test_the_address_is_the_field_of_the_kind_or_the_url_in_it(value, address):
    assert address_in(value) == address
