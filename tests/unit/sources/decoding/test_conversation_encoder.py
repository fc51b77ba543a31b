from typing import Any

import pytest

from vivavoce.model.case import AssertionSpec, CallOptions, Case, ConversationRules, Origin, ScriptedTurn, SimulatorSpec
from vivavoce.model.message import Message
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.conversation_encoder import encode_assertions, encode_options, encode_script

AT = Origin("a.jsonl", 1)
LINE = ScriptedTurn(content="hi")
NAMED = ScriptedTurn(content="hi", name="ann")
EARLIER = (Message(role="system", content="be kind"),)
GOES_ON = ConversationRules(multi_turn=True)


def case(**fields: Any) -> Case:
    return Case(id="a", origin=AT, **fields)


SCRIPTS: list[tuple[Case, dict[str, Any]]] = [
    (case(turns=(LINE,)), {"input": "hi"}),
    (case(turns=(NAMED,)), {"messages": [{"role": "user", "content": "hi", "name": "ann"}]}),
    (
        case(history=EARLIER, turns=(LINE,)),
        {"messages": [{"role": "system", "content": "be kind"}, {"role": "user", "content": "hi"}]},
    ),
    (case(turns=(LINE,), rules=GOES_ON), {"turns": [{"input": "hi"}]}),
    (case(turns=(LINE,), rules=GOES_ON, simulator=SimulatorSpec(use="agents:s")), {"input": "hi"}),
    (
        case(history=EARLIER, turns=(LINE, NAMED), rules=GOES_ON),
        {
            "messages": [{"role": "system", "content": "be kind"}],
            "turns": [{"input": "hi"}, {"input": {"role": "user", "content": "hi", "name": "ann"}}],
        },
    ),
    (case(history_script="scripts:h"), {"messages": {"use": "scripts:h"}}),
    (case(history_script="scripts:h", turns=(LINE,)), {"messages": {"use": "scripts:h"}, "input": "hi"}),
    (
        case(history_script="scripts:h", turns=(LINE, LINE), rules=GOES_ON),
        {"messages": {"use": "scripts:h"}, "turns": [{"input": "hi"}, {"input": "hi"}]},
    ),
    (case(), {}),
]


@pytest.mark.parametrize(("said", "written"), SCRIPTS, ids=[str(number) for number in range(len(SCRIPTS))])
def test_a_script_is_written_in_the_shortest_way_that_says_the_same(said: Case, written: dict[str, Any]):
    assert encode_script(said) == written
    again = decode_case({"id": "a", **written, **({"simulator": {"use": "agents:s"}} if said.simulator else {})}, AT)
    assert (again.history, again.turns, again.history_script) == (said.history, said.turns, said.history_script)


def test_a_check_that_nobody_wrote_is_spelt_out_with_everything_it_has():
    spec = AssertionSpec(type="contains", fields={"value": "x"}, negate=True, message="why", path="$.a", weight=2.5)
    [written] = encode_assertions((spec,))
    assert written == {"type": "contains", "value": "x", "negate": True, "message": "why", "path": "$.a", "weight": 2.5}
    [again] = decode_case({"id": "a", "input": "x", "assert": [written]}, AT).assertions
    assert (again.negate, again.message, again.path, again.weight) == (True, "why", "$.a", 2.5)


def test_a_check_stays_as_its_author_wrote_it():
    spec = AssertionSpec(type="contains", fields={"value": "x"}, written={"contains": "x"})
    assert encode_assertions((spec,)) == [{"contains": "x"}]


def test_options_without_metadata_have_none():
    assert encode_options(CallOptions(connector="m")) == {"connector": "m"}
    assert encode_options(CallOptions(metadata={"a": 1})) == {"metadata": {"a": 1}}
