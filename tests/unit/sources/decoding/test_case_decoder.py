from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import UsageError
from vivavoce.model.case import (
    CallOptions,
    Case,
    ConversationRules,
    FrontendTool,
    HookCommand,
    Origin,
    ResumeAnswer,
    ScriptedTurn,
    SimulatorSpec,
)
from vivavoce.model.message import Message
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.sources.decoding.case_decoder import SKIPPED, decode_case, decode_yaml_case

HERE = Origin("a.jsonl", 7)
CONTAINS = {"type": "contains", "value": "x"}


def decode(**fields: Any) -> Case:
    return decode_case({"id": "T", **fields}, HERE)


def decode_yaml(text: str) -> Case:
    (document,) = read_yaml_documents(text, "flow.yaml")
    return decode_yaml_case(document, "flow.yaml", "flow")


# ── the plain case ──


def test_a_plain_case_is_a_script_of_one_line():
    case = decode(input="hello")
    assert case == Case(id="T", origin=HERE, turns=(ScriptedTurn(content="hello"),))


def test_null_is_the_same_as_leaving_a_field_out():
    names = (
        "name description tags metadata skip agent user team locale options timeout type messages expected "
        "turns simulator checkpoints max_turns interactive on_missing_input "
        "stop_on_failure hooks before after tools state runs min_pass"
    )
    assert decode(input="hello", **dict.fromkeys(names.split())) == decode(input="hello")


def test_the_simple_fields_are_carried_over():
    case = decode(
        input="hello",
        name="n",
        description="d",
        tags=["x", "y"],
        metadata={"k": [1]},
        agent="shop",
        user="u",
        team="t",
        locale="de-de",
        before="scripts:seed",
        after="scripts:clean",
        state={"cart": []},
        runs=5,
        min_pass=4,
    )
    assert (case.name, case.description, case.tags, case.metadata) == ("n", "d", ("x", "y"), {"k": [1]})
    assert (case.agent, case.user, case.team, case.locale) == ("shop", "u", "t", "de-de")
    assert (case.before, case.after, case.state) == ("scripts:seed", "scripts:clean", {"cart": []})
    assert (case.runs, case.min_pass) == (5, 4)


@pytest.mark.parametrize(("skip", "reason"), [(True, SKIPPED), (False, None), ("not ready", "not ready")])
def test_skip_is_a_switch_or_a_reason(skip: bool | str, reason: str | None):
    assert decode(input="a", skip=skip).skip == reason


def test_options_reach_the_call():
    options = {"connector": "c", "mode": "m", "search": {"web": False}, "skip": {"history": True}, "metadata": {"k": 1}}
    assert decode(input="a", options=options).options == CallOptions(**options)


# ── what is said ──


def test_messages_beat_input():
    assert decode(input="no", messages=[{"role": "user", "content": "yes"}]).first_input == "yes"


def test_an_empty_list_of_messages_leaves_the_word_to_input():
    assert decode(input="yes", messages=[]).first_input == "yes"


def test_the_last_user_message_is_the_line_and_the_rest_is_history():
    case = decode(input=[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"content": "c"}])
    assert case.history == (Message(role="user", content="a"), Message(role="assistant", content="b"))
    assert case.turns == (ScriptedTurn(content="c"),)


def test_messages_that_end_with_the_agent_are_all_history_and_nothing_is_added():
    case = decode(messages=[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])
    assert len(case.history) == 2
    assert case.turns == (ScriptedTurn(content=""),)


def test_a_simulator_goes_on_where_the_messages_end():
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    case = decode(messages=messages, simulator={"use": "sim"})
    assert len(case.history) == 2
    assert case.turns == ()


def test_a_simulator_opens_when_there_is_no_input():
    assert decode(simulator={"use": "sim"}).turns == ()
    assert decode(simulator={"use": "sim"}, input=[]).turns == ()


@pytest.mark.parametrize("said", ["no", [{"role": "user", "content": "before"}], ""])
def test_input_beside_turns_would_never_be_sent(said: Any):
    with pytest.raises(UsageError, match="'input' and 'turns' exclude each other"):
        decode(input=said, turns=[{"input": "a"}])


def test_messages_go_before_turns():
    case = decode(messages=[{"role": "user", "content": "before"}], turns=[{"input": "a"}, {"user": "b"}])
    assert case.history == (Message(role="user", content="before"),)
    assert [turn.content for turn in case.turns] == ["a", "b"]


def test_an_assistant_message_may_only_call_tools():
    call = {"id": "c1", "function": {"name": "f", "arguments": {"x": 1}}}
    messages = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c1", "content": "ok"}]
    called, answered = decode(messages=messages).history
    assert called.content == ""
    assert called.tool_calls == [{"type": "function", "id": "c1", "function": {"name": "f", "arguments": '{"x":1}'}}]
    assert answered.tool_call_id == "c1"


def test_a_turn_may_be_a_message_of_one_of_several_users():
    case = decode(turns=[{"input": {"role": "user", "name": "bob", "content": "hi"}}])
    assert case.turns == (ScriptedTurn(content="hi", name="bob"),)


def test_a_turn_carries_attachments_options_and_answers_to_interrupts():
    turn = {
        "input": "see this",
        "attachments": [{"type": "image", "source": "file://./a.png"}],
        "options": {"connector": "other"},
        "resume": {"tool": "pay", "payload": {"approved": True}},
        "assert": CONTAINS,
    }
    (decoded,) = decode(turns=[turn]).turns
    assert decoded.attachments == ({"type": "image", "source": "file://./a.png"},)
    assert decoded.options == CallOptions(connector="other")
    assert decoded.resume == (ResumeAnswer(tool="pay", payload={"approved": True}),)
    assert len(decoded.assertions) == 1


def test_a_turn_may_say_nothing_when_it_answers_an_interrupt():
    (turn,) = decode(turns=[{"resume": [{"cancelled": True}, {"id": "i2"}]}]).turns
    assert turn.content == ""
    assert turn.resume == (ResumeAnswer(cancelled=True), ResumeAnswer(id="i2"))


# ── what must hold ──


def test_both_spellings_of_assert_mean_the_same():
    assert decode(input="a", **{"assert": CONTAINS}) == decode(input="a", assertions=[CONTAINS])


def test_what_stands_under_either_spelling_must_hold():
    case = decode(input="a", assertions=[CONTAINS], **{"assert": {"text": {"must_match": "y"}}})
    assert [spec.type for spec in case.assertions] == ["must_match", "contains"]


def test_expected_is_kept_for_the_judge():
    assert decode(input="a", expected={"k": 1}).expected == {"k": 1}
    assert decode(input="a", expected="", assertions=[CONTAINS]).expected == ""
    assert decode(input="a").expected is UNSET


@pytest.mark.parametrize("spelling", ["assert", "assertion", "assertions"])
def test_a_checkpoint_knows_all_spellings(spelling: str):
    (checkpoint,) = decode(input="a", checkpoints=[{"id": "c", spelling: CONTAINS}]).checkpoints
    assert [spec.type for spec in checkpoint.assertions] == ["contains"]
    assert checkpoint.required


def test_checkpoints_come_after_one_or_several_others():
    entries = [
        {"id": "a", "assert": CONTAINS},
        {"id": "b", "after": "a", "required": False, "description": "d", "assert": CONTAINS},
        {"id": "c", "after": ["a", "b"], "assert": CONTAINS},
    ]
    a, b, c = decode(input="x", checkpoints=entries).checkpoints
    assert (a.after, b.after, c.after) == ((), ("a",), ("a", "b"))
    assert (b.required, b.description) == (False, "d")


# ── who speaks, and how long ──


@pytest.mark.parametrize(
    ("use", "full"),
    [("sim", "agents:sim"), ("agents:sim", "agents:sim"), ("scripts:tests.sim", "scripts:tests.sim")],
)
def test_a_simulator_is_named_with_or_without_its_prefix(use: str, full: str):
    assert decode(simulator={"use": use}).simulator == SimulatorSpec(use=full)


def test_a_simulators_metadata_may_stand_in_either_place():
    beside = decode(simulator={"use": "s", "metadata": {"goal": "g"}})
    inside = decode(simulator={"use": "s", "options": {"metadata": {"goal": "g"}}})
    assert beside == inside
    assert inside.simulator == SimulatorSpec(use="agents:s", options=CallOptions(metadata={"goal": "g"}))


def test_max_turns_may_stand_in_the_simulators_metadata_but_the_top_level_wins():
    simulator = {"use": "s", "options": {"metadata": {"max_turns": 10}}}
    assert decode(simulator=simulator).rules.max_turns == 10
    assert decode(simulator=simulator, max_turns=3).rules.max_turns == 3
    assert decode(simulator=simulator, max_turns=0).rules.max_turns == 10
    assert decode(input="a", max_turns=0).rules.max_turns is None


@pytest.mark.parametrize(
    ("fields", "multi"),
    [
        ({"input": "a"}, False),
        ({"messages": [{"role": "user", "content": "a"}]}, False),
        ({"turns": [{"input": "a"}]}, True),
        ({"simulator": {"use": "s"}}, True),
        ({"input": "a", "checkpoints": [{"id": "c", "assert": CONTAINS}]}, True),
        ({"input": "a", "interactive": {"enabled": True}}, True),
        ({"input": "a", "interactive": {"enabled": False}}, False),
        ({"input": "a", "type": "multi_turn"}, True),
        ({"type": "single_turn", "turns": [{"input": "a"}]}, False),
        ({"input": "a", "type": "single_turn", "simulator": {"use": "s"}}, False),
    ],
)
def test_when_a_case_has_many_turns(fields: dict[str, Any], multi: bool):
    rules = decode(**fields).rules
    assert rules.multi_turn is multi
    assert rules.single_turn is (fields.get("type") == "single_turn")


def test_limits_and_fallbacks_are_rules_of_the_conversation():
    rules = decode(
        turns=[{"input": "a"}],
        timeout="2m30s",
        on_missing_input="fail",
        stop_on_failure=True,
        interactive={"enabled": True, "timeout": "10s"},
    ).rules
    assert rules == ConversationRules(
        multi_turn=True,
        timeout_s=150,
        on_missing_input="fail",
        stop_on_failure=True,
        interactive=True,
        interactive_timeout_s=10,
    )


def test_front_end_tools_are_answered_by_one_value_or_by_rules():
    tools = [
        {"name": "pick", "description": "d", "parameters": {"type": "object"}, "answer": None},
        {
            "name": "ask",
            "answers": [{"value": 1, "once": True}, {"error": "no", "when": {"a.b": "x+"}}, {"script": "s"}],
        },
        {"name": "unanswered"},
    ]
    assert decode(input="a", tools=tools).frontend_tools == (
        FrontendTool(name="pick", description="d", parameters={"type": "object"}, answers=({"value": None},)),
        FrontendTool(
            name="ask",
            answers=({"value": 1, "once": True}, {"error": "no", "when": {"a.b": "x+"}}, {"script": "s"}),
        ),
        FrontendTool(name="unanswered"),
    )


# ── YAML ──


def test_a_yaml_test_is_binary_and_stops_at_its_first_failed_turn():
    case = decode_yaml("turns:\n  - user: hi\n")
    assert case.id == "flow"
    assert case.rules == ConversationRules(multi_turn=True, on_missing_input="end", stop_on_failure=True)


def test_a_yaml_test_may_say_otherwise():
    text = "id: own\non_missing_input: skip\nstop_on_failure: false\nturns:\n  - user: hi\n"
    case = decode_yaml(text)
    assert case.id == "own"
    assert case.rules == ConversationRules(multi_turn=True, on_missing_input="skip")


def test_a_yaml_test_knows_the_line_of_each_turn():
    case = decode_yaml("name: n\n\nturns:\n  - user: hi\n\n  - user: |\n      there\n    assert: {}\n")
    assert [turn.line for turn in case.turns] == [4, 6]
    assert case.origin == Origin("flow.yaml", 1)


def test_a_yaml_test_takes_blocks_lists_and_hooks():
    case = decode_yaml(
        "hooks:\n  - cmd: [bash, seed.sh]\n    timeout_ms: 1500\n"
        "turns:\n  - user: hi\n    assertions:\n      - {type: contains, value: x}\n"
        "assert:\n  tools: {forbid: [drop]}\n  text: {must_match: [a, b]}\n"
    )
    assert case.hooks == (HookCommand(cmd=("bash", "seed.sh"), timeout_s=1.5),)
    assert [spec.type for spec in case.turns[0].assertions] == ["contains"]
    assert [spec.type for spec in case.assertions] == ["forbid", "must_match", "must_match"]
