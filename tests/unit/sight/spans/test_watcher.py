"""Spans of a live agent: awaited, joined with its answer, and a doubt where they may be incomplete."""

import asyncio
import gzip
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.fakes.examining import case_of
from tests.fakes.span_recordings import bodies
from tests.fakes.web_server import Seen, WebServer

from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, Status
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config
from vivavoce.protocols import Job
from vivavoce.sight.spans import watcher

FORBID = {"tools": {"forbid": ["refund"]}}
Exporter = Callable[["Turn"], Awaitable[None]]


class Turn:
    """One request to the agent, and the spans that it may export meanwhile or afterwards."""

    def __init__(self, seen: Seen, endpoint: str) -> None:
        _, self.trace, self.sent, _ = str(seen.headers["traceparent"]).split("-")
        self.endpoint = endpoint

    def span(self, id: str, parent: str | None = None, name: str = "", trace: str = "", **more: Any) -> dict[str, Any]:  # noqa: A002
        return {
            "traceId": trace or self.trace,
            "spanId": id * 16,
            "parentSpanId": self.sent if parent is None else parent * 16,
            "name": name,
            "startTimeUnixNano": more.pop("start", "9000000000000000000"),
            "endTimeUnixNano": "9000000000000001000",
            "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in more.items()],
        }

    def root(self, **more: Any) -> dict[str, Any]:
        return self.span("a", name="agent", **{"gen_ai.operation.name": "invoke_agent"}, **more)

    def tool(self, name: str, id: str = "b", content: bool = True, **more: Any) -> dict[str, Any]:  # noqa: A002
        inside = {"gen_ai.tool.call.arguments": '{"order": 1}', "gen_ai.tool.call.result": '"ok"'} if content else {}
        said = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, **inside}
        return self.span(id, "a", **said, **more)

    async def export(self, *spans: dict[str, Any]) -> None:
        document = {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}
        await post(self.endpoint, json.dumps(document).encode())


async def post(endpoint: str, body: bytes, **headers: str) -> int:
    sent = {"Content-Type": "application/json", **headers}
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{endpoint}/v1/traces", data=body, headers=sent) as answer,
    ):
        return answer.status


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watcher, "_QUIET_S", 0.01)


async def examined(
    exporting: Exporter, *cases: Case, wait: str = "50ms", answer: Any = None, parallel: bool = False
) -> list[Attempt]:
    """Runs the cases against an HTTP agent that exports as it is told, before it answers."""
    async with WebServer(lambda seen: respond(seen)) as server:
        http = {"url": server.url, "body": {"text": "{{ message }}"}, "reply": "$.say", "tool_calls": "$.calls"}
        if answer is None:
            del http["tool_calls"]
        fields = {"http": http, "otel": {"listen": 0, "wait": wait}}
        config = Config(agents={"it": AgentConfig(kind="http", fields=fields)})
        resources = RunResources(Project(root=Path.cwd(), config=config), RunSettings())

        async def respond(seen: Seen) -> dict[str, Any]:
            [live] = resources.watchers._of_agent["it"]  # pyright: ignore[reportPrivateUsage]
            await exporting(Turn(seen, live.endpoint))  # type: ignore[attr-defined]
            return {"say": "done", "calls": answer}

        try:
            attempt = Examination(resources, lambda _: None).attempt
            jobs = [attempt(Job(case=case, index=number)) for number, case in enumerate(cases, 1)]
            return list(await asyncio.gather(*jobs)) if parallel else [await job for job in jobs]
        finally:
            await resources.close()


async def test_calls_are_read_from_spans_and_forbid_is_right():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("refund"), turn.root())

    forbidden, required = await examined(
        exporting,
        case_of(input="x", **{"assert": FORBID}),
        case_of(
            input="x", **{"assert": {"type": "tool_called", "value": {"name": "refund", "arguments": {"order": 1}}}}
        ),
    )
    assert (forbidden.status, required.status) == (Status.FAILED, Status.PASSED)
    [call] = required.transcript.turns[0].reply.calls
    assert (call.name, call.args, call.result) == ("refund", {"order": 1}, "ok")


async def test_a_complete_trace_without_the_tool_passes():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("find_order"), turn.root())

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}))
    assert attempt.status is Status.PASSED


async def test_spans_that_come_after_the_answer_are_awaited_and_the_wait_is_not_the_agents():
    later: list[asyncio.Task[None]] = []

    async def exporting(turn: Turn) -> None:
        async def late() -> None:
            await asyncio.sleep(0.15)
            await turn.export(turn.tool("refund"))
            await asyncio.sleep(0.15)
            await turn.export(turn.root())

        later.append(asyncio.create_task(late()))

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}), wait="20s")
    assert attempt.status is Status.FAILED
    assert attempt.overhead_ms > 290
    assert attempt.transcript.turns[0].duration_ms + attempt.overhead_ms >= attempt.overhead_ms


@pytest.mark.parametrize(
    ("spans", "why"),
    [
        ((), "no span came within 50ms: start the agent with OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:"),
        (("tool",), "the trace is incomplete after 50ms: the parent of 1 span did not come"),
        (("request",), "nothing of an agent can be seen in the spans"),
    ],
)
async def test_late_or_missing_spans_break_absence_checks(spans: tuple[str, ...], why: str):
    async def exporting(turn: Turn) -> None:
        made = {"tool": turn.tool("find_order"), "request": turn.span("c", name="POST /chat")}
        await turn.export(*(made[name] for name in spans))

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}))
    assert attempt.status is Status.ERROR
    assert why in str(attempt.error)


async def test_a_trace_that_is_incomplete_is_enough_for_what_it_shows():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("find_order"))

    called = case_of(input="x", **{"assert": {"type": "tool_called", "value": "find_order"}})
    [attempt] = await examined(exporting, called)
    assert attempt.status is Status.PASSED


async def test_a_case_that_looks_at_words_only_does_not_wait():
    async def exporting(turn: Turn) -> None: ...

    [attempt] = await examined(
        exporting, case_of(input="x", **{"assert": {"type": "contains", "value": "done"}}), wait="1h"
    )
    assert attempt.status is Status.PASSED
    assert attempt.transcript.turns[0].reply.shows_calls is False
    assert attempt.warnings == ()


async def test_wire_and_spans_are_joined_and_no_call_is_counted_twice():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("find_order"), turn.tool("lookup", "d"), turn.root())

    once = {"tools": {"require": [{"name": "find_order", "count": {"exact": 1}}, {"name": "lookup"}]}}
    [attempt] = await examined(
        exporting, case_of(input="x", **{"assert": once}), answer=[{"name": "find_order", "args": {"order": 1}}]
    )
    assert attempt.status is Status.PASSED, attempt.error
    assert [call.result for call in attempt.transcript.turns[0].reply.calls] == ["ok", "ok"]


async def test_arguments_that_are_switched_off_break_the_rules_that_ask_for_them():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("find_order", content=False), turn.root())

    with_args = {"type": "tool_called", "value": {"name": "find_order", "arguments": {"order": 2}}}
    inside, by_name, absent = await examined(
        exporting,
        case_of(input="x", **{"assert": with_args}),
        case_of(input="x", **{"assert": {"type": "tool_called", "value": "find_order"}}),
        case_of(input="x", **{"assert": FORBID}),
    )
    assert inside.status is Status.ERROR
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY" in str(inside.error)
    assert (by_name.status, absent.status) == (Status.PASSED, Status.PASSED)


async def test_spans_with_other_trace_ids_are_taken_by_time_when_one_case_runs_and_never_when_two_do():
    both = asyncio.Barrier(2)

    async def alone(turn: Turn) -> None:
        strange = "f" * 32
        await turn.export(turn.tool("refund", trace=strange), turn.span("a", "0", trace=strange))

    async def together(turn: Turn) -> None:
        await both.wait()
        await alone(turn)

    case = case_of(input="x", **{"assert": FORBID})
    [attempt] = await examined(alone, case)
    assert attempt.status is Status.FAILED
    assert "matched by their time" in attempt.warnings[0]
    for attempt in await examined(together, case, case, parallel=True):
        assert attempt.status is Status.ERROR
        assert "no span came" in str(attempt.error)


async def test_a_call_that_is_seen_after_its_turn_was_judged_makes_the_case_an_error():
    turns: list[Turn] = []

    async def exporting(turn: Turn) -> None:
        if turns:
            await turns[0].export(turns[0].tool("refund", "c"))
        turns.append(turn)
        await turn.export(turn.tool("find_order"), turn.root())

    case = case_of(turns=[{"user": "a", "assert": FORBID}, {"user": "b"}])
    [attempt] = await examined(exporting, case)
    assert (attempt.status, attempt.fault) == (Status.ERROR, "target")
    assert "after their turn was judged" in str(attempt.error)


async def test_an_export_that_cannot_be_read_is_a_doubt():
    async def exporting(turn: Turn) -> None:
        assert await post(turn.endpoint, b"{nonsense") == 400
        await turn.export(turn.tool("find_order"), turn.root())

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}))
    assert attempt.status is Status.ERROR
    assert "an export could not be read" in str(attempt.error)


async def test_the_receiver_takes_gzip_and_bodies_without_a_length_and_answers_logs_and_metrics():
    async def exporting(turn: Turn) -> None:
        async def pieces(body: bytes):
            yield body

        for body in bodies("vercel-ai7-json"):
            body = body.replace(b"d6c0f90d590b08a758613daf99c24d31", turn.trace.encode())
            async with aiohttp.ClientSession() as client:
                zipped = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
                await client.post(f"{turn.endpoint}/v1/traces", data=pieces(gzip.compress(body)), headers=zipped)
                for signal in ("logs", "metrics"):
                    async with client.post(f"{turn.endpoint}/v1/{signal}", json={}) as answer:
                        assert (answer.status, await answer.text()) == (200, "{}")

    names = {"tools": {"require": [{"name": "find_order"}, {"name": "refund"}, {"name": "notify"}]}}
    [attempt] = await examined(exporting, case_of(input="x", **{"assert": names}))
    assert attempt.status is Status.PASSED, attempt.error


async def test_a_program_sends_its_spans_to_an_address_of_its_own(tmp_path: Path):
    program = tmp_path / "agent.py"
    program.write_text(
        "import json, os, urllib.request\n"
        "spans = [{'traceId': 'e' * 32, 'spanId': 'a' * 16, 'name': 'agent',\n"
        "  'attributes': [{'key': 'gen_ai.tool.name', 'value': {'stringValue': 'refund'}}]}]\n"
        "body = json.dumps({'resourceSpans': [{'scopeSpans': [{'spans': spans}]}]}).encode()\n"
        "to = os.environ['OTEL_EXPORTER_OTLP_ENDPOINT'] + '/v1/traces'\n"
        "urllib.request.urlopen(urllib.request.Request(to, body, {'Content-Type': 'application/json'})).read()\n"
        "print('done', os.environ['TRACEPARENT'][:3])\n"
    )
    fields = {"cmd": [sys.executable, str(program)], "otel": {"wait": "50ms"}}
    config = Config(agents={"it": AgentConfig(kind="cmd", fields=fields)})
    resources = RunResources(Project(root=tmp_path, config=config), RunSettings())
    try:
        attempts = await asyncio.gather(
            *(
                Examination(resources, lambda _: None).attempt(
                    Job(case=case_of(input="x", **{"assert": FORBID}), index=n)
                )
                for n in (1, 2)
            )
        )
    finally:
        await resources.close()
    assert [attempt.status for attempt in attempts] == [Status.FAILED, Status.FAILED]
    assert all("refund called 1 time" in str(attempt.error) for attempt in attempts)


async def test_tool_calls_in_a_trace_of_their_own_are_never_overlooked():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("refund", "d", trace="d" * 32))
        await turn.export(turn.tool("find_order"), turn.root())

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}))
    assert (attempt.status, "a trace of their own" in str(attempt.error)) == (Status.ERROR, True)


async def test_two_spans_under_one_id_are_never_one():
    async def exporting(turn: Turn) -> None:
        await turn.export(turn.tool("find_order"), turn.tool("refund"), turn.root())

    [attempt] = await examined(exporting, case_of(input="x", **{"assert": FORBID}))
    assert (attempt.status, "the same id" in str(attempt.error)) == (Status.ERROR, True)
