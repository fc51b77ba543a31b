"""A request to an MCP server and its answer, as a tape keeps them."""

import time
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.attempt_tape import AttemptTape, Found, Missed
from vivavoce.sight.tapes.fingerprint import Fingerprint
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry, answer_in

MCP = "mcp"
INITIALIZE = "initialize"
CALL = "tools/call"
LIST_TOOLS = "tools/list"
REFUSED = -32000
"""The error code of answers that viva itself refuses."""


class McpRequest(Struct, frozen=True, kw_only=True):
    """A request of an agent to one of its MCP servers."""

    server: str
    method: str
    params: JsonObject = {}
    secrets: list[str] = []
    """Secrets that only the process of the mock knows; no tape may hold them."""

    @property
    def is_listing(self) -> bool:
        """Whether it only lists something, so that one recorded answer serves all such requests."""
        return self.method == INITIALIZE or self.method.endswith("/list")


class McpAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A result, or an error of the protocol with `code` and `message`."""

    result: JsonObject | None = None
    error: JsonObject | None = None


def refused(why: str) -> McpAnswer:
    """An answer of viva itself, as an error of the protocol."""
    return McpAnswer(error={"code": REFUSED, "message": why})


def mcp_fingerprint(request: McpRequest, normaliser: Normaliser, censor: Censor) -> Fingerprint:
    """Equal for requests with equal arguments. There is no loose match: arguments always count."""
    params = normaliser.data(censor.data(request.params))
    said: JsonObject = {"method": request.method, "params": params}
    return Fingerprint(
        provider=MCP,
        path=request.server,
        stream=False,
        sections=Sections(talk=[said]),
        spine=[{"role": "body", "text": said}],
    )


def mcp_entry(request: McpRequest, answer: McpAnswer, took_ms: float, censor: Censor) -> Entry:
    """The answer as a tape keeps it, without secrets."""
    said = msgspec.json.encode(answer).decode()
    text = censor.text(said)
    return Entry(
        case="",
        kind=MCP,
        method=request.method,
        chunks=[(round(took_ms, 1), text)],
        struck=text != said,
        again=request.is_listing,
    )


async def taped(
    request: McpRequest, attempt_tape: AttemptTape, censor: Censor, ask: Callable[[], Awaitable[McpAnswer]]
) -> McpAnswer:
    """Returns the recorded answer, or calls `ask` and records its answer. Raises CallFailed when it cannot record."""
    wanted = mcp_fingerprint(request, attempt_tape.normaliser, censor)
    found = attempt_tape.answer_to(wanted, again=request.is_listing)
    if isinstance(found, Found):
        return taped_answer(found.entry)
    if isinstance(found, Missed):
        return refused(found.why)
    started = time.perf_counter()
    answer = await ask()
    attempt_tape.keep(wanted, mcp_entry(request, answer, (time.perf_counter() - started) * 1000, censor))
    return answer


def taped_answer(entry: Entry) -> McpAnswer:
    """The answer of an entry. Raises CallFailed for one that is damaged."""
    answer = answer_in(entry, McpAnswer)
    if answer.result is None and answer.error is None:
        raise CallFailed("the tape is damaged: an MCP server's answer is neither a result nor an error", fault="test")
    return answer
