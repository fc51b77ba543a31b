"""Answers of a mock that belongs to no run."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.mcp_server.mock.own_responder import OwnResponder, read_mocks
from vivavoce.sight.tapes.masking import censor_of
from vivavoce.sight.tapes.mcp_exchange import LIST_TOOLS, McpAnswer, McpRequest

LIST = McpRequest(server="shop", method=LIST_TOOLS)


def test_mocks_are_read_from_a_list_or_from_their_field(tmp_path: Path):
    for text in ("- {name: refund, answer: 1}\n", '{"mocks": [{"name": "refund", "answer": 1}]}'):
        (tmp_path / "mocks.yaml").write_text(text)
        assert [mock.name for mock in read_mocks(tmp_path / "mocks.yaml")] == ["refund"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("refund: 1\n", "no list of mocks"),
        ("- {answer: 1}\n", "needs a `name`"),
        ("- {name: refund, script: scripts.x}\n", "only in a run of viva"),
        ("", "no list of mocks"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, problem: str):
    (tmp_path / "mocks.yaml").write_text(text)
    with pytest.raises(UsageError, match=problem):
        read_mocks(tmp_path / "mocks.yaml")


def test_a_mock_of_an_unknown_tool_is_refused(tmp_path: Path):
    (tmp_path / "mocks.yaml").write_text("- {name: refnd, answer: 1}\n")
    own = OwnResponder("shop", read_mocks(tmp_path / "mocks.yaml"), None, None, censor_of(()))
    with pytest.raises(UsageError, match="did you mean 'refund'"):
        own.refuse_unknown(McpAnswer(result={"tools": [{"name": "refund"}]}))


def test_mocks_alone_are_a_server(tmp_path: Path):
    (tmp_path / "mocks.yaml").write_text("- {name: refund, description: Pays back., answer: 1}\n")
    own = OwnResponder("shop", read_mocks(tmp_path / "mocks.yaml"), None, None, censor_of(()))
    assert own.tools_of_mocks(LIST).result == {
        "tools": [{"name": "refund", "description": "Pays back.", "inputSchema": {"type": "object"}}]
    }


async def test_what_is_recorded_answers_any_number_of_conversations(tmp_path: Path):
    asked = McpRequest(server="shop", method="tools/call", params={"name": "refund", "arguments": {}})
    done = McpAnswer(result={"content": []})

    async def server() -> McpAnswer:
        return done

    async def nobody() -> McpAnswer:
        raise AssertionError("the server was asked")

    own = OwnResponder("shop", (), tmp_path, None, censor_of(()))
    await own.answer(asked, server)
    own.close()
    again = OwnResponder("shop", (), None, tmp_path, censor_of(()))
    assert [await again.answer(asked, nobody) for _ in range(3)] == [done] * 3


def test_a_missing_tape_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no tape of the MCP server 'shop'"):
        OwnResponder("shop", (), None, tmp_path, censor_of(()))
