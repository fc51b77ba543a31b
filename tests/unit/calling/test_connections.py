import re

import pytest
from msgspec import structs
from tests.fakes.openai_server import OpenAiServer
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.calling.connections import find_connector
from vivavoce.configuration.project_finder import find_project
from vivavoce.errors import UsageError
from vivavoce.model.message import Message
from vivavoce.project.settings import Config, ConnectorConfig
from vivavoce.protocols import ModelRequest

SAYS = '{"type": "scripted", "options": {"rules": [{"say": "%s"}]}}'
HELLO = ModelRequest(messages=[Message(role="user", content="hello")])


async def said_by(connector: str, around) -> str:
    return (await find_connector(connector, around).complete(HELLO)).text


async def test_the_configuration_comes_before_the_files(tmp_path):
    write_files(tmp_path, {"connectors/a.conn.yao": SAYS % "file", "connectors/b/c.conn.json": SAYS % "below"})
    inline = ConnectorConfig(type="scripted", options={"rules": [{"say": "config"}]})
    async with surroundings_at(tmp_path, Config(connectors={"a": inline})) as around:
        assert await said_by("a", around) == "config"
        assert await said_by("b.c", around) == "below"
        assert await said_by("use::b.c", around) == "below"


async def test_a_connector_is_opened_once(tmp_path):
    write_files(tmp_path, {"connectors/a.conn.yao": SAYS % "x"})
    async with surroundings_at(tmp_path) as around:
        assert find_connector("a", around) is find_connector("a", around)


async def test_yaos_own_file_loads_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("VIVA_TEST_KEY", "sk-from-env")
    async with OpenAiServer() as server:
        monkeypatch.setenv("VIVA_TEST_HOST", server.url)
        write_files(
            tmp_path,
            {
                "connectors/deepseek/v3.conn.yao": """// DeepSeek
                {"LANG": "1.0.0", "label": "DeepSeek", "type": "openai", /* any host */
                 "options": {"model": "deepseek-chat", "key": "$ENV.VIVA_TEST_KEY", "proxy": "${ENV.VIVA_TEST_HOST}",
                             "capabilities": {"vision": false},},}"""
            },
        )
        async with surroundings_at(tmp_path) as around:
            assert await said_by("deepseek.v3", around) == "hello"
            assert around.secrets.mask("sk-from-env") == "***"
    assert server.requests[0].headers["Authorization"] == "Bearer sk-from-env"
    assert server.bodies[0]["model"] == "deepseek-chat"


async def test_variables_of_the_configuration_are_put_in(tmp_path):
    async with OpenAiServer() as server:
        connector = ConnectorConfig(type="openai", options={"host": "${BASE}/v1", "model": "m"})
        config = Config(connectors={"a": connector}, variables={"BASE": server.url})
        async with surroundings_at(tmp_path, config) as around:
            assert await said_by("a", around) == "hello"


@pytest.mark.parametrize(
    ("connector", "words"),
    [
        ("openai.gtp4", "unknown connector 'openai.gtp4' (did you mean 'openai.gpt4'?)"),
        ("zzz", "unknown connector 'zzz' (known: bad, martian, openai.gpt4, unset)"),
        ("martian", "connectors/martian.conn.yao:1: connector 'martian' has the unknown type 'martian'"),
        ("bad", "connectors/bad.conn.yao:1: the field 'type' is missing"),
        ("unset", "connectors/unset.conn.yao:1: connector 'unset': undefined variable ${ENV.VIVA_NOT_SET}"),
    ],
)
async def test_what_is_wrong_is_said_with_its_place(tmp_path, monkeypatch, connector, words):
    monkeypatch.chdir(tmp_path)
    write_files(
        tmp_path,
        {
            "connectors/openai/gpt4.conn.yao": SAYS % "x",
            "connectors/martian.conn.yao": '{"type": "martian", "options": {}}',
            "connectors/bad.conn.yao": "{}",
            "connectors/unset.conn.yao": '{"type": "openai", "options": {"key": "${ENV.VIVA_NOT_SET}"}}',
        },
    )
    async with surroundings_at(tmp_path) as around:
        with pytest.raises(UsageError) as caught:
            find_connector(connector, around)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ('{"key": "$ENV.VIVA_NOT_SET"}', "undefined variable $ENV.VIVA_NOT_SET"),
        ('{"rules": [{"reply": "hi"}]}', "rules[0]: unknown field 'reply'"),
        ("{}", "has no rules"),
    ],
)
async def test_one_in_viva_yaml_and_one_in_a_file_name_their_line(tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    write_files(
        tmp_path,
        {
            "viva.yaml": f"connectors:\n  first: {{type: scripted}}\n  mine: {{type: scripted, options: {options}}}\n",
            "connectors/filed.conn.yao": f'{{\n  "type": "scripted",\n  "options": {options}\n}}',
        },
    )
    async with surroundings_at(tmp_path) as bare:
        around = structs.replace(bare, project=find_project(tmp_path))
        with pytest.raises(UsageError) as configured:
            find_connector("mine", around)
        with pytest.raises(UsageError) as filed:
            find_connector("filed", around)
    assert re.match(rf"viva\.yaml:3: connector 'mine':? {re.escape(words)}", str(configured.value))
    assert re.match(rf"connectors/filed\.conn\.yao:[13]: connector 'filed':? {re.escape(words)}", str(filed.value))
    if "$" in options:
        assert ":3: " in str(filed.value)


async def test_a_project_without_connectors_is_told_where_to_write_one(tmp_path):
    async with surroundings_at(tmp_path) as around:
        with pytest.raises(UsageError, match=r"write connectors/openai/gpt4\.conn\.yao"):
            find_connector("openai.gpt4", around)
