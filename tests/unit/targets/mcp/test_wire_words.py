"""Words of an MCP server that neither the text nor the data of a reply has."""

from typing import Any

from vivavoce.targets.mcp.wire_words import keep_wire, other_words, wire_of


class Result:
    """A type of the SDK that drops what it does not know."""

    def __init__(self, wire: dict[str, Any]) -> None:
        self.content = wire["content"]

    @classmethod
    def model_validate(cls, wire: dict[str, Any]) -> "Result":
        return cls(wire)


class Session:
    async def send_request(self, request: str, result_type: Any) -> Any:
        return result_type.model_validate({"content": request, "aside": "psst"})


async def test_the_wire_of_the_newest_result_is_kept():
    session = Session()
    keep_wire(session)
    first = await session.send_request("one", Result)
    assert wire_of(first) == {"content": "one", "aside": "psst"}
    second = await session.send_request("two", Result)
    assert wire_of(first) is None
    assert wire_of(second) == {"content": "two", "aside": "psst"}


def test_only_words_and_numbers_that_were_not_said_are_other_words():
    wire = {
        "content": [
            {"type": "text", "text": "done"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "a://b", "blob": "aGVsbG8="}},
        ],
        "_meta": {"note": "cached", "ttl": 900, "fresh": True, "by": None},
    }
    assert other_words(wire, "done") == ("a://b\ncached\n900",)
    assert other_words(wire, "done a://b cached 900") == ()
    assert other_words(None, "done") == ()
