"""Generators: what they are asked, and how their answers are read."""

import json
from typing import Any

import pytest
from tests.fakes.evidence import FakeJudge

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply
from vivavoce.protocols import AgentCard, ToolSpec
from vivavoce.sources.generated import Generated, GeneratedSource
from vivavoce.sources.input_ref import classify

CREATE = {"type": "object", "properties": {"amount": {"type": "number"}}}
TOOLS = (ToolSpec(name="create", description="Files one", parameters=CREATE), ToolSpec(name="policy"))
TARGET = AgentCard(id="expense", kind="package", description="Files expenses", tools=TOOLS)


async def generated(reply: str | AgentReply | Exception, ref: str = "agents:gen") -> Generated:
    return await GeneratedSource(classify(ref)).generate(FakeJudge(reply), TARGET)


def cases(*raw: Any) -> str:
    return json.dumps({"cases": list(raw)})


GOOD = {"id": "G1", "input": "hi", "assertions": [{"type": "contains", "value": "hi"}]}


async def test_the_generator_is_told_about_the_target_and_what_the_query_says():
    generator = FakeJudge(cases(GOOD))
    await GeneratedSource(classify("agents:gen?count=10&focus=edge-cases")).generate(generator, TARGET)
    ((ref, messages, options, _),) = generator.asked
    told = {
        "target_agent": "expense",
        "target_description": "Files expenses",
        "target_tools": [
            {"name": "create", "description": "Files one", "parameters": CREATE},
            {"name": "policy"},
        ],
        "count": 10,
        "focus": "edge-cases",
    }
    assert ref == "agents:gen"
    assert [message.role for message in messages] == ["user"]
    assert json.loads(messages[0].text) == told
    assert options.metadata == {"test_mode": "generator", **told}
    assert options.skip == {"history": True}


async def test_the_connector_of_the_query_is_an_option_of_the_call_and_no_wish_about_cases():
    generator = FakeJudge(cases(GOOD))
    await GeneratedSource(classify("agents:gen?connector=openai.gpt")).generate(generator, TARGET)
    ((_, messages, options, _),) = generator.asked
    assert options.connector == "openai.gpt"
    assert "connector" not in json.loads(messages[0].text)
    assert "connector" not in options.metadata


@pytest.mark.parametrize(
    "reply",
    [
        cases(GOOD),
        json.dumps({"test_cases": [GOOD]}),
        json.dumps([GOOD]),
        json.dumps(GOOD),
        f"Here you are:\n```json\n{cases(GOOD)}\n```\nEnjoy.",
        f"<think>{{}}</think>{cases(GOOD)}",
        AgentReply(text="", data={"cases": [GOOD]}),
        AgentReply(text="", data=[GOOD]),
    ],
    ids=["cases", "test_cases", "list", "single", "fenced", "thinking", "data", "data list"],
)
async def test_a_reply_is_read_however_it_is_wrapped(reply: str | AgentReply):
    made = await generated(reply)
    assert [case.id for case in made.cases] == ["G1"]
    assert made.problems == []


async def test_a_generated_case_knows_who_made_it_and_as_which():
    made = await generated(cases({"id": "A", "input": "x"}, {"id": "B", "input": "y"}))
    assert [str(case.origin) for case in made.cases] == ["agents:gen:1", "agents:gen:2"]


async def test_bad_cases_are_told_with_their_text_and_the_good_ones_stay():
    made = await generated(cases(GOOD, {"id": "G2", "input": "x", "assrt": []}, {"input": "y"}, 7))
    assert [case.id for case in made.cases] == ["G1"]
    assert [str(problem.at) for problem in made.problems] == ["agents:gen:2", "agents:gen:3", "agents:gen:4"]
    assert "unknown field 'assrt'" in str(made.problems[0])
    assert '"input":"x"' in str(made.problems[0])
    assert "did you mean 'assert'?" in str(made.problems[0])
    assert "the case was 7" in str(made.problems[2])


async def test_of_two_cases_with_one_id_the_second_is_bad():
    made = await generated(cases({"id": "A", "input": "x"}, {"id": "A", "input": "y"}))
    assert [case.first_input for case in made.cases] == ["x"]
    assert "duplicate id 'A', first used by case 1" in str(made.problems[0])


async def test_prose_is_quoted():
    with pytest.raises(UsageError, match="no JSON: I cannot help with that"):
        await generated("I cannot help with that.")


async def test_nothing_at_all_is_said_to_be_nothing():
    with pytest.raises(UsageError, match=r"holds no JSON: \(nothing\)"):
        await generated("")


@pytest.mark.parametrize("reply", ['{"cases": []}', "[]"])
async def test_no_cases_is_no_run(reply: str):
    with pytest.raises(UsageError, match="holds no cases"):
        await generated(reply)


async def test_a_reply_that_was_cut_off_gives_what_it_holds_and_says_so():
    text = cases({"id": "A", "input": "x"}, {"id": "B", "input": "y"}, {"id": "C", "input": "and then"})
    made = await generated(text[: text.index("then")])
    assert [case.id for case in made.cases] == ["A", "B", "C"]
    assert "broken JSON and had to be repaired" in str(made.problems[-1])


async def test_a_sound_piece_of_a_broken_whole_is_not_taken_for_the_whole():
    made = await generated('{"cases": [{"id": "A", "input": "x"} {"id": "B" "input": "y"]')
    assert [case.id for case in made.cases][:1] == ["A"]
    assert any("repaired" in str(problem) for problem in made.problems)


async def test_a_generator_that_answers_with_an_error_has_failed():
    with pytest.raises(CallFailed, match="rate limited"):
        await generated(AgentReply(text=cases(GOOD), error="rate limited"))


@pytest.mark.parametrize(
    "written",
    [
        {"hooks": [{"cmd": ["rm", "-rf", "/"]}]},
        {"before": "setup"},
        {"agent": "cmd:rm"},
        {"assertions": [{"type": "script", "use": "scripts:os:system"}]},
        {"assertions": [{"type": "agent", "use": "agents:cmd:rm", "value": "x"}]},
        {"simulator": {"use": "python:os:system"}},
        {"turns": [{"input": "x", "assert": {"type": "script", "script": "../evil.py"}}]},
    ],
    ids=lambda written: next(iter(written)),
)
async def test_what_an_agent_wrote_is_never_run(written: dict[str, Any]):
    made = await generated(cases({"id": "A", "input": "x", **written}))
    assert made.cases == []
    assert "would run code of the agent's choosing" in str(made.problems[0])


async def test_judges_and_scripts_of_the_project_may_be_named():
    use = [{"type": "agent", "use": "agents:workers.test.validator", "value": "polite"}]
    use.append({"type": "script", "use": "scripts:tests.validate-expense"})
    made = await generated(cases({"id": "A", "input": "x", "assertions": use}))
    assert made.problems == []


async def test_a_script_is_the_users_own_code_and_may_set_hooks():
    made = await generated(AgentReply(data=[{"id": "A", "input": "x", "before": "setup"}]), "scripts:gen")
    assert [case.before for case in made.cases] == ["setup"]


async def test_only_what_is_kept_is_read():
    source = GeneratedSource(classify("agents:gen"))
    assert list(source.read()) == []
    made = await source.generate(FakeJudge(cases(GOOD)), TARGET)
    source.keep(made.cases)
    assert list(source.read()) == list(source.read()) == made.cases


async def test_fewer_cases_than_asked_for_are_reported():
    made = await GeneratedSource(classify("agents:gen?count=3")).generate(FakeJudge(cases(GOOD)), TARGET)
    assert [case.id for case in made.cases] == ["G1"]
    assert [str(problem) for problem in made.problems] == ["agents:gen: the generator was asked for 3 cases and made 1"]
