"""Who answers an MCP request: faults, mocks, the tape, and only then the server."""

from pathlib import Path
from typing import Any

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.fault_notation import read_fault
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.project.redaction import Secrets
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import CALL, LIST_TOOLS, McpAnswer, McpRequest
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_reading import read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

TOOLS = McpAnswer(result={"tools": [{"name": "refund", "outputSchema": {"type": "object", "required": ["result"]}}]})
DONE = McpAnswer(result={"content": [{"type": "text", "text": "done"}], "structuredContent": {"result": "done"}})


class Server:
    """Counts how often it is asked."""

    def __init__(self, answer: McpAnswer = DONE) -> None:
        self.asked = 0
        self._answer = answer

    async def __call__(self) -> McpAnswer:
        self.asked += 1
        return self._answer


def call(tool: str = "refund", **arguments: JsonValue) -> McpRequest:
    return McpRequest(server="shop", method=CALL, params={"name": tool, "arguments": arguments})


def listing() -> McpRequest:
    return McpRequest(server="shop", method=LIST_TOOLS)


async def no_script(ref: str, _: JsonValue) -> JsonValue:
    raise AssertionError(ref)


def responder(attempt_tape: AttemptTape | None = None, mocks: Any = (), faults: tuple[str, ...] = ()) -> McpResponder:
    between = CaseInterventions(tuple(map(read_fault, faults)), read_frontend_tools(list(mocks)), no_script)
    return McpResponder(Censor(Secrets()), attempt_tape, between)


def recorder(folder: Path) -> AttemptTape:
    writer = TapeWriter(folder / "a.tape.jsonl")
    writer.begin("case", 1)
    return AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)


def player(folder: Path) -> AttemptTape:
    return AttemptTape("case", 1, normaliser=Normaliser(), tape=read_tape(folder / "a.tape.jsonl"))


async def test_without_mocks_and_tapes_the_server_answers_byte_for_byte():
    server = Server()
    assert await responder().answer(call(order="A-17"), server) == DONE
    assert server.asked == 1


async def test_a_mock_answers_and_the_server_is_not_asked():
    server = Server()
    mocked = responder(mocks=[{"name": "refund", "answer": {"status": "refused"}}])
    answer = await mocked.answer(call(), server)
    assert answer.result == {
        "content": [{"type": "text", "text": '{"status":"refused"}'}],
        "structuredContent": {"status": "refused"},
        "isError": False,
    }
    assert server.asked == 0
    assert [(seen.name, seen.result) for _, seen in mocked.calls] == [("refund", {"status": "refused"})]


async def test_a_mock_keeps_to_the_form_of_results_that_the_tool_declares():
    mocked = responder(mocks=[{"name": "refund", "answer": "refused"}])
    await mocked.answer(listing(), Server(TOOLS))
    answer = await mocked.answer(call(), Server())
    assert answer.result is not None
    assert answer.result["structuredContent"] == {"result": "refused"}


async def test_an_error_of_a_mock_is_an_error_of_the_tool():
    answer = await responder(mocks=[{"name": "refund", "error": "no such order"}]).answer(call(), Server())
    assert answer.result == {"content": [{"type": "text", "text": "no such order"}], "isError": True}


async def test_a_call_that_no_answer_of_its_mock_fits_is_a_problem_of_the_case():
    server = Server()
    mocked = responder(mocks=[{"name": "refund", "when": [{"args": {"order": "^B"}, "answer": 1}]}])
    answer = await mocked.answer(call(order="A-17"), server)
    assert answer.error is not None
    assert mocked.problems == ["tool refund was called, but none of its mock's answers fits this call"]
    assert server.asked == 0


async def test_a_fault_strikes_before_the_mock_and_may_change_the_real_result():
    server = Server(McpAnswer(result={"content": [], "structuredContent": {"status": "done"}}))
    failing = responder(faults=("tool:refund:error@1", "tool:refund:unknown_field@2"))
    first, second = await failing.answer(call(), server), await failing.answer(call(), server)
    assert first.result is not None
    assert first.result["isError"]
    assert second.result is not None
    assert second.result["structuredContent"] == {"status": "done", "x_unknown": "?"}
    assert server.asked == 1


async def test_a_recorded_call_is_replayed_without_the_server(tmp_path: Path):
    recording = responder(recorder(tmp_path))
    await recording.answer(listing(), Server(TOOLS))
    await recording.answer(call(order="A-17"), Server())
    server, attempt_tape = Server(), player(tmp_path)
    replaying = responder(attempt_tape)
    assert [await replaying.answer(listing(), server) for _ in range(3)] == [TOOLS] * 3
    assert await replaying.answer(call(order="A-17"), server) == DONE
    assert server.asked == 0
    assert attempt_tape.misses == []
    assert attempt_tape.unused() == []


async def test_other_arguments_and_one_call_too_many_are_misses(tmp_path: Path):
    await responder(recorder(tmp_path)).answer(call(order="A-17"), Server())
    server, attempt_tape = Server(), player(tmp_path)
    replaying = responder(attempt_tape)
    other = await replaying.answer(call(order="A-18"), server)
    await replaying.answer(call(order="A-17"), server)
    again = await replaying.answer(call(order="A-17"), server)
    assert server.asked == 0
    assert other.error is not None
    assert "A-18" in other.error["message"]
    assert again.error is not None
    assert "this is one more" in again.error["message"]
    assert len(attempt_tape.misses) == 2


async def test_errors_of_the_protocol_are_replayed_too(tmp_path: Path):
    unknown = McpAnswer(error={"code": -32602, "message": "Unknown tool: nix"})
    await responder(recorder(tmp_path)).answer(call("nix"), Server(unknown))
    assert await responder(player(tmp_path)).answer(call("nix"), Server()) == unknown


async def test_no_secret_of_the_mocks_own_process_reaches_the_tape(tmp_path: Path):
    told = McpAnswer(result={"content": [{"type": "text", "text": "the token is hunter2-hunter2"}]})
    request = McpRequest(
        server="shop",
        method=CALL,
        params={"name": "refund", "arguments": {"key": "hunter2-hunter2"}},
        secrets=["hunter2-hunter2"],
    )
    answer = await responder(recorder(tmp_path)).answer(request, Server(told))
    assert answer == told
    assert "hunter2" not in (tmp_path / "a.tape.jsonl").read_text()
    replayed = await responder(player(tmp_path)).answer(request, Server())
    assert replayed.error is None


async def test_a_fault_that_meets_a_tool_which_fails_by_itself_tested_nothing():
    failing = Server(McpAnswer(result={"content": [{"type": "text", "text": "no stock"}], "isError": True}))
    between = CaseInterventions((read_fault("tool:refund:huge"),), (), no_script)
    await McpResponder(Censor(Secrets()), None, between).answer(call(), failing)
    assert "had nothing to spoil: refund failed by itself: no stock" in str((await between.close()).problem)
