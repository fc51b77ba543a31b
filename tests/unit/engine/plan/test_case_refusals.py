"""What a case may not ask, given what its agent takes."""

from typing import Any

import pytest

from vivavoce.engine.plan.case_refusals import refuse_requests, refuse_second_turn, refuse_silence, refuse_too_few_runs
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, ConversationRules, Origin, ScriptedTurn, SimulatorSpec
from vivavoce.model.server_request import content_of_request

HI = (ScriptedTurn(content="hi"),)


def case(**fields: Any) -> Case:
    return Case(id="T", origin=Origin("c.jsonl", 1), **fields)


def test_a_second_turn_is_refused_where_the_agent_has_no_memory():
    one, two = case(turns=HI), case(turns=(*HI, *HI))
    refuse_second_turn(one, "")
    refuse_second_turn(two, "")
    with pytest.raises(UsageError, match=r"c\.jsonl:1: the agent takes one line only: a Crew has no memory"):
        refuse_second_turn(two, "a Crew has no memory")


@pytest.mark.parametrize("default", [1, 2, 5])
@pytest.mark.parametrize("own", [None, 1, 3])
@pytest.mark.parametrize("needed", [1, 2, 3, 4, 10**30])
def test_more_passes_than_runs_are_refused_whoever_says_how_often(needed: int, own: int | None, default: int):
    asked = case(runs=own, min_pass=needed)
    if needed <= (own or default):
        refuse_too_few_runs(asked, default)
    else:
        with pytest.raises(UsageError, match=rf"c.jsonl:1: min_pass: {needed} of only {own or default} runs? cannot"):
            refuse_too_few_runs(asked, default)


def test_words_are_no_request_and_a_request_is_no_words():
    words, request = case(turns=HI), case(turns=(ScriptedTurn(content=content_of_request({"list": "tools"})),))
    refuse_requests(words, takes_them=False)
    refuse_requests(request, takes_them=True)
    with pytest.raises(UsageError, match="takes requests, not words"):
        refuse_requests(words, takes_them=True)
    with pytest.raises(UsageError, match="a request for an MCP server, but the agent is not one"):
        refuse_requests(request, takes_them=False)


def test_a_case_in_which_nobody_speaks_is_refused():
    simulated = case(simulator=SimulatorSpec(use="someone"))
    for spoken, by_all in ((case(turns=HI), False), (simulated, False), (case(), True)):
        refuse_silence(spoken, simulated=by_all)
    for silent, by_all in ((case(), False), (case(rules=ConversationRules(single_turn=True)), True)):
        with pytest.raises(UsageError, match="nobody says anything"):
            refuse_silence(silent, simulated=by_all)
