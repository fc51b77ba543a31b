"""Front-end tools, interrupts and confirmations: what viva answers, and what it refuses to."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.agui_exchange import GoneAfterOne
from tests.fakes.agui_server import call, interrupt, replies_with, run, serving, sse, text
from tests.fakes.agui_talk import talking_to

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import ExchangeStatus
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.targets.ag_ui.agent_run_input import agent_run_ids
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.ag_ui.recording import AgentRunMeta
from vivavoce.targets.ag_ui.replay import ReplayedAnswer
from vivavoce.targets.ag_ui.session import AgUiSession, Settings

Event = dict[str, Any]

RED = call("f1", "change_color", '{"color": "red", "where": {"page": "home"}, "tones": ["light", "dark"]}')
DONE = run(*text("Done."))
APPROVAL = {"id": "i1", "reason": "tool_call", "toolCallId": "c1", "message": "Delete it?"}
STOPPED = run(*call("c1", "delete_file", '{"path": "/x"}'), outcome=interrupt(APPROVAL))
DELETED = run(
    {"type": "TOOL_CALL_RESULT", "toolCallId": "c1", "messageId": "r1", "content": "deleted"}, *text("Deleted.")
)


def color(**answers: Any) -> list[dict[str, Any]]:
    return [{"name": "change_color", "description": "Paints", "parameters": {"type": "object"}, **answers}]


# ── front-end tools ─────────────────────────────────────────────────────────────────


async def test_a_front_end_tool_is_advertised_and_answered_within_the_turn() -> None:
    async with (
        serving(*replies_with(run(*RED), DONE)) as server,
        talking_to(server.url, tools=color(answer={"ok": True})) as talk,
    ):
        reply = await talk.say("make it red")
    assert server.bodies[0]["tools"] == [
        {"name": "change_color", "description": "Paints", "parameters": {"type": "object"}}
    ]
    answered = server.bodies[1]["messages"][-1]
    assert (answered["role"], answered["toolCallId"], answered["content"]) == ("tool", "f1", '{"ok":true}')
    assert "error" not in answered
    [made] = reply.calls
    assert (made.name, made.result, made.frontend) == ("change_color", {"ok": True}, True)
    assert (reply.text, reply.status, reply.warnings) == ("Done.", ExchangeStatus.SUCCESS, ())


async def test_a_tests_own_stub_beats_the_configured_one() -> None:
    own = read_frontend_tools(color(answer="mine"))
    async with (
        serving(*replies_with(run(*RED), DONE)) as server,
        talking_to(server.url, tools=color(answer="theirs"), stubs=own) as talk,
    ):
        await talk.say("make it red")
    assert server.bodies[1]["messages"][-1]["content"] == "mine"


async def test_a_list_of_answers_is_used_up_in_order() -> None:
    runs = [run(*call(f"f{n}", "change_color")) for n in range(3)]
    async with (
        serving(*replies_with(*runs, DONE)) as server,
        talking_to(server.url, tools=color(answers=["first", {"value": "always"}])) as talk,
    ):
        reply = await talk.say("make it red")
    assert [made.result for made in reply.calls] == ["first", "always", "always"]


@pytest.mark.parametrize(
    ("when", "answered"),
    [
        ({"color": "^r"}, "red it is"),
        ({"where.page": "home"}, "red it is"),
        ({"shade": ".*"}, "other"),
        ({"tones.1": "dark"}, "red it is"),
        ({"tones.²": ".*"}, "other"),
        ({"tones.9": ".*"}, "other"),
    ],
)
async def test_a_rule_on_the_arguments_chooses_the_answer(when: dict[str, str], answered: str) -> None:
    tools = color(when=[{"args": when, "answer": "red it is"}], answer="other")
    async with serving(*replies_with(run(*RED), DONE)) as server, talking_to(server.url, tools=tools) as talk:
        reply = await talk.say("make it red")
    assert reply.calls[0].result == answered


async def test_a_refusal_is_an_error_of_the_tool_message() -> None:
    async with (
        serving(*replies_with(run(*RED), DONE)) as server,
        talking_to(server.url, tools=color(error="declined")) as talk,
    ):
        reply = await talk.say("make it red")
        await talk.say("and?")
    for body in server.bodies[1:]:
        [refused] = [message for message in body["messages"] if message["role"] == "tool"]
        assert (refused["content"], refused["error"]) == ("declined", "declined")
    assert reply.calls[0].error == "declined"


async def test_a_script_answers_with_what_it_returns(tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "paint.py").write_text(
        "async def main(args):\n"
        "    assert args['color'] != 'blue', 'no blue here'\n"
        "    return {'painted': args['color']}\n"
    )
    blue = call("f2", "change_color", '{"color": "blue"}')
    async with (
        serving(*replies_with(run(*RED, *blue), DONE)) as server,
        talking_to(server.url, root=tmp_path, tools=color(script="scripts:paint")) as talk,
    ):
        reply = await talk.say("make it red")
    assert next((made.result, made.error) for made in reply.calls) == ({"painted": "red"}, None)
    assert "no blue here" in (reply.calls[1].error or "")


async def test_a_script_that_breaks_is_the_tests_fault_not_an_answer(tmp_path: Path) -> None:
    async with (
        serving(*replies_with(run(*RED), DONE)) as server,
        talking_to(server.url, root=tmp_path, tools=color(script="scripts:nowhere")) as talk,
    ):
        with pytest.raises(CallFailed, match="stub of front-end tool change_color") as failed:
            await talk.say("make it red")
    assert failed.value.fault == "test"


async def test_a_tool_without_a_stub_is_reported_and_answered_with_an_error_before_the_next_turn() -> None:
    async with serving(*replies_with(run(*RED), DONE)) as server, talking_to(server.url, tools=color()) as talk:
        reply = await talk.say("make it red")
        await talk.say("never mind")
    assert len(server.bodies) == 2
    assert "front-end tool change_color was called, but it has no stub" in reply.warnings[0]
    roles = [message["role"] for message in server.bodies[1]["messages"]]
    assert roles == ["user", "assistant", "tool", "user"]
    assert "no stub" in server.bodies[1]["messages"][2]["error"]


async def test_a_tool_that_is_not_ours_is_never_answered() -> None:
    async with (
        serving(*replies_with(run(*call("c1", "ask_human")))) as server,
        talking_to(server.url, tools=color(answer=1)) as talk,
    ):
        reply = await talk.say("go")
    assert len(server.bodies) == 1
    assert reply.status is ExchangeStatus.SUCCESS


async def test_a_backend_call_beside_a_front_end_call_keeps_its_own_result() -> None:
    both = run(*call("c1", "get_weather", "{}", "sunny"), *RED)
    async with serving(*replies_with(both, DONE)) as server, talking_to(server.url, tools=color(answer="ok")) as talk:
        reply = await talk.say("go")
    assert [(made.name, made.result) for made in reply.calls] == [("get_weather", "sunny"), ("change_color", "ok")]
    answered = [message for message in server.bodies[1]["messages"] if message["role"] == "tool"]
    assert [message["toolCallId"] for message in answered] == ["c1", "f1"]


async def test_an_agent_that_never_stops_calling_is_stopped() -> None:
    runs = [run(*call(f"f{n}", "change_color")) for n in range(12)]
    async with serving(*replies_with(*runs)) as server, talking_to(server.url, tools=color(answer=1)) as talk:
        reply = await talk.say("go")
    assert len(server.bodies) == 10
    assert (reply.status, reply.error) == (
        ExchangeStatus.ERROR,
        "the agent still wants answers after 10 runs of one turn",
    )


async def test_a_server_that_goes_away_between_two_runs_leaves_what_was_seen() -> None:
    body = sse(*run(*RED))
    meta = AgentRunMeta(headers=(("content-type", "text/event-stream"),), chunks_ms_len=((0.0, len(body)),))
    exchange = GoneAfterOne(ReplayedAnswer(meta, body, in_real_time=False))
    stubs = FrontendStubs(read_frontend_tools(color(answer="ok")), no_script)
    reply = await AgUiSession("t", agent_run_ids(), exchange, stubs, Settings()).send(Line(content="go"), Transcript())
    assert (reply.status, reply.error) == (ExchangeStatus.HTTP_ERROR, "cannot connect")
    assert [(made.name, made.result) for made in reply.calls] == [("change_color", "ok")]


async def no_script(ref: str, args: Any) -> Any:
    raise AssertionError(ref)


# ── interrupts ──────────────────────────────────────────────────────────────────────


async def test_an_interrupt_stays_open_and_is_answered_in_the_next_turn() -> None:
    async with serving(*replies_with(STOPPED, DELETED)) as server, talking_to(server.url) as talk:
        asked = await talk.say("delete it")
        reply = await talk.say("", resume=(ResumeAnswer(tool="delete_file", payload={"approved": True}),))
    assert (asked.status, asked.error) == (ExchangeStatus.INTERRUPTED, None)
    [opened] = asked.interrupts
    assert (opened.id, opened.reason, opened.tool_name, opened.message) == (
        "i1", "tool_call", "delete_file", "Delete it?",
    )  # fmt: skip
    assert server.bodies[1]["resume"] == [{"interruptId": "i1", "status": "resolved", "payload": {"approved": True}}]
    assert [message["role"] for message in server.bodies[1]["messages"]] == ["user", "assistant"]
    assert (reply.status, reply.text, reply.calls, reply.interrupts) == (ExchangeStatus.SUCCESS, "Deleted.", (), ())
    assert [made.result for turn in talk.transcript.turns for made in turn.reply.calls] == ["deleted"]


async def test_an_interrupt_answered_in_its_own_turn_makes_one_turn_of_two_runs() -> None:
    async with serving(*replies_with(STOPPED, DELETED)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(ResumeAnswer(payload={"approved": True}),))
    assert len(server.bodies) == 2
    assert (reply.status, reply.text, reply.interrupts) == (ExchangeStatus.SUCCESS, "Deleted.", ())
    assert [(made.name, made.result) for made in reply.calls] == [("delete_file", "deleted")]


@pytest.mark.parametrize(
    "answer", [ResumeAnswer(id="i1"), ResumeAnswer(reason="tool_call"), ResumeAnswer(tool="delete_file")]
)
async def test_an_answer_is_chosen_by_id_reason_or_tool(answer: ResumeAnswer) -> None:
    async with serving(*replies_with(STOPPED, DELETED)) as server, talking_to(server.url) as talk:
        await talk.say("delete it", resume=(ResumeAnswer(tool="other", payload=0), answer))
    assert server.bodies[1]["resume"] == [{"interruptId": "i1", "status": "resolved", "payload": None}]


async def test_a_cancelled_interrupt_says_so() -> None:
    async with serving(*replies_with(STOPPED, DONE)) as server, talking_to(server.url) as talk:
        await talk.say("delete it")
        await talk.say("", resume=(ResumeAnswer(cancelled=True),))
    assert server.bodies[1]["resume"] == [{"interruptId": "i1", "status": "cancelled"}]


async def test_every_open_interrupt_must_be_answered_at_once() -> None:
    two = run(outcome=interrupt({"id": "i1", "reason": "a"}, {"id": "i2", "reason": "b"}))
    async with serving(*replies_with(two, DONE)) as server, talking_to(server.url) as talk:
        await talk.say("go")
        half = await talk.say("", resume=(ResumeAnswer(reason="a", payload=1),))
        assert len(server.bodies) == 1
    assert half.status is ExchangeStatus.INTERRUPTED
    assert half.error == (
        "interrupt i2 (reason 'b') is still open and the turn's `resume` does not answer it: "
        "declare the answer in the turn, e.g. `resume: [{reason: b, payload: …}]` or `cancelled: true`"
    )


async def test_interrupts_that_a_turn_answers_only_in_part_stay_open() -> None:
    two = run(outcome=interrupt({"id": "i1", "reason": "a"}, {"id": "i2", "reason": "b"}))
    async with serving(*replies_with(two, DONE)) as server, talking_to(server.url) as talk:
        reply = await talk.say("go", resume=(ResumeAnswer(reason="a", payload=1),))
    assert len(server.bodies) == 1
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "interrupt i2 (reason 'b'), but the turn's `resume` answers reason a" in (reply.error or "")


async def test_an_answer_that_names_the_interrupt_comes_before_one_that_names_nothing() -> None:
    answers = (ResumeAnswer(payload="any"), ResumeAnswer(tool="delete_file", payload="this"))
    async with serving(*replies_with(STOPPED, DELETED)) as server, talking_to(server.url) as talk:
        await talk.say("delete it", resume=answers)
    assert server.bodies[1]["resume"][0]["payload"] == "this"


async def test_a_line_that_ignores_an_open_interrupt_is_not_sent() -> None:
    async with serving(*replies_with(STOPPED)) as server, talking_to(server.url) as talk:
        await talk.say("delete it")
        reply = await talk.say("never mind")
        assert len(server.bodies) == 1
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "interrupt i1 (reason 'tool_call', tool delete_file, 'Delete it?') is still open" in (reply.error or "")
    assert "`resume: [{tool: delete_file, payload: …}]`" in (reply.error or "")
    assert [each.id for each in reply.interrupts] == ["i1"]


async def test_an_answer_to_an_interrupt_that_never_came_fails_the_turn() -> None:
    async with serving(*replies_with(DONE)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(ResumeAnswer(tool="delete_file", payload=True),))
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert reply.error == "the turn's `resume` answers tool delete_file, but the agent did not stop for that"


async def test_an_answer_for_another_interrupt_is_told_apart() -> None:
    async with serving(*replies_with(STOPPED)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(ResumeAnswer(tool="send_mail", payload=True),))
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "but the turn's `resume` answers tool send_mail" in (reply.error or "")


async def test_two_approvals_one_after_the_other_take_two_answers() -> None:
    again = run(*call("c2", "delete_file", '{"path": "/y"}'), outcome=interrupt({**APPROVAL, "id": "i2"}))
    answers = (ResumeAnswer(tool="delete_file", payload=1), ResumeAnswer(tool="delete_file", payload=2))
    async with serving(*replies_with(STOPPED, again, DONE)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete both", resume=answers)
    resumed = [(each["interruptId"], each["payload"]) for body in server.bodies[1:] for each in body["resume"]]
    assert resumed == [("i1", 1), ("i2", 2)]
    assert reply.status is ExchangeStatus.SUCCESS


async def test_what_an_interrupt_is_about_is_not_answered_as_a_call_that_waits() -> None:
    again = run(*call("c2", "delete_file", '{"path": "/y"}'), outcome=interrupt({**APPROVAL, "id": "i2"}))
    answers = (ResumeAnswer(tool="delete_file", payload=1), ResumeAnswer(tool="delete_file", payload=2))
    async with serving(*replies_with(STOPPED, again, DONE)) as server, talking_to(server.url) as talk:
        await talk.say("delete both")
        await talk.say("", resume=answers)
    resumed = [(each["interruptId"], each["payload"]) for body in server.bodies[1:] for each in body["resume"]]
    assert resumed == [("i1", 1), ("i2", 2)]
    assert not any(message["role"] == "tool" for body in server.bodies for message in body["messages"])


@pytest.mark.parametrize(
    ("said", "status", "payload"),
    [
        ("yes", "resolved", {"approved": True}),
        ("No.", "resolved", {"approved": False}),
        ('{"approved": true, "editedArgs": {}}', "resolved", {"approved": True, "editedArgs": {}}),
        ("only the old ones", "resolved", "only the old ones"),
        ("cancel", "cancelled", None),
    ],
)
async def test_a_simulators_or_a_persons_words_answer_the_interrupt(said: str, status: str, payload: Any) -> None:
    schema = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
    stopped = run(outcome=interrupt({**APPROVAL, "toolCallId": None, "responseSchema": schema}))
    async with serving(*replies_with(stopped, DONE, DONE)) as server, talking_to(server.url) as talk:
        await talk.say("delete it")
        await talk.say(said, source="interactive", resume=(ResumeAnswer(payload=said),))
        await talk.say("thanks", source="interactive")
    [resumed] = server.bodies[1]["resume"]
    assert (resumed["status"], resumed.get("payload")) == (status, payload)
    # The words were the answer: they are no message of the user, then or later.
    spoken = [[m["content"] for m in body["messages"] if m["role"] == "user"] for body in server.bodies]
    assert spoken == [["delete it"], ["delete it"], ["delete it", "thanks"]]


@pytest.mark.parametrize(
    "value", ['{"message": "Delete it?", "reason": "approval"}', {"message": "Delete it?", "reason": "approval"}]
)
async def test_a_legacy_interrupt_is_answered_the_legacy_way(value: Any) -> None:
    stopped = run({"type": "CUSTOM", "name": "on_interrupt", "value": value})
    async with (
        serving(*replies_with(stopped, DONE)) as server,
        talking_to(server.url, forwarded_props={"lang": "en"}) as talk,
    ):
        asked = await talk.say("delete it")
        await talk.say("", resume=(ResumeAnswer(reason="approval", payload="yes"),))
    assert asked.status is ExchangeStatus.INTERRUPTED
    assert asked.interrupts[0].message == "Delete it?"
    assert server.bodies[1]["forwardedProps"] == {"lang": "en", "command": {"resume": "yes"}}
    assert "resume" not in server.bodies[1]


async def test_the_new_outcome_wins_over_the_legacy_event() -> None:
    stopped = run(
        {"type": "CUSTOM", "name": "on_interrupt", "value": "?"}, outcome=interrupt({"id": "i1", "reason": "a"})
    )
    async with serving(*replies_with(stopped)) as server, talking_to(server.url) as talk:
        asked = await talk.say("go")
    assert [each.id for each in asked.interrupts] == ["i1"]


# ── confirmations that servers make up ──────────────────────────────────────────────

CONFIRM = call(
    "adk-1",
    "adk_request_confirmation",
    '{"originalFunctionCall": {"name": "delete_file"}, "toolConfirmation": {"hint": "Please approve."}}',
)
WAITING = run(*call("c1", "delete_file", '{"path": "/x"}'), *CONFIRM)


@pytest.mark.parametrize("tool", ["delete_file", "adk_request_confirmation", None])
async def test_a_made_up_confirmation_is_answered_as_the_test_says(tool: str | None) -> None:
    answer = ResumeAnswer(tool=tool, payload={"confirmed": True})
    async with serving(*replies_with(WAITING, DELETED)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(answer,))
    told = [message for message in server.bodies[1]["messages"] if message["role"] == "tool"]
    assert [(message["toolCallId"], message["content"]) for message in told] == [("adk-1", '{"confirmed":true}')]
    assert [(made.name, made.result) for made in reply.calls] == [
        ("delete_file", "deleted"),
        ("adk_request_confirmation", {"confirmed": True}),
    ]


async def test_a_confirmation_is_left_alone_when_the_test_says_nothing() -> None:
    async with serving(*replies_with(WAITING, DONE)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it")
        await talk.say("hello?")
    assert (reply.awaiting, reply.input_hint) == (True, "Please approve.")
    assert [message["role"] for message in server.bodies[1]["messages"]] == ["user", "assistant", "assistant", "user"]


async def test_a_confirmation_is_answered_in_a_later_turn_too() -> None:
    async with serving(*replies_with(WAITING, DELETED)) as server, talking_to(server.url) as talk:
        await talk.say("delete it")
        reply = await talk.say("", resume=(ResumeAnswer(tool="adk_request_confirmation", payload={"confirmed": True}),))
    assert server.bodies[1]["messages"][-1]["content"] == '{"confirmed":true}'
    assert reply.calls == ()
    results = {made.name: made.result for made in talk.transcript.turns[0].reply.calls}
    assert results == {"delete_file": "deleted", "adk_request_confirmation": {"confirmed": True}}


async def test_a_tool_that_waits_for_a_confirmation_itself_is_answered_by_name_and_then_runs() -> None:
    """Agno's way: the tool message confirms, and the run that follows tells the call again with its result."""
    first = run(*call("c1", "delete_file", '{"path": "/x"}'))
    second = run(*call("c1", "delete_file", '{"path": "/x"}', '"deleted"'), *text("Deleted."))
    async with serving(*replies_with(first, second)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(ResumeAnswer(tool="delete_file", payload={"accepted": True}),))
    assert server.bodies[1]["messages"][-1]["content"] == '{"accepted":true}'
    assert [(made.name, made.result) for made in reply.calls] == [("delete_file", "deleted")]


async def test_a_confirmed_tool_that_never_reports_has_no_result() -> None:
    waiting = run(*call("c1", "delete_file", '{"path": "/x"}'))
    async with serving(*replies_with(waiting, DONE)) as server, talking_to(server.url) as talk:
        reply = await talk.say("delete it", resume=(ResumeAnswer(tool="delete_file", payload={"accepted": True}),))
    assert [made.result for made in reply.calls] == [UNSET]
