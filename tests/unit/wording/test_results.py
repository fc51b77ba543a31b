"""Words that every report shares."""

import pytest
from msgspec import structs
from tests.fakes import result_builders as made
from tests.fakes import results

from vivavoce.model.case import AssertionSpec, Case, Origin, ScriptedTurn
from vivavoce.model.json_value import JsonObject, text_of
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Status, Summary
from vivavoce.wording.results import (
    agreement_words,
    case_label,
    check_title,
    clipped_label,
    failed_at,
    outcome_text,
    reason_of,
    said_text,
    stability_words,
    stable_words,
    unsaid_turns,
)
from vivavoce.wording.terminal_text import clip, one_line, quoted

TEXTS = ["", " ", "T1", "a  b", "tab\there", "\x1b[31mred", "x" * 61]
TEXTS += [' "quoted" ', "zwölf", "日本語の長い文" * 9, "é " * 30]


@pytest.mark.parametrize("case_id", TEXTS, ids=repr)
def test_a_label_is_one_neutral_line_that_fits(case_id: str):
    for name in (None, *TEXTS):
        for said in (*TEXTS, [{"type": "text", "text": "in parts"}]):
            words = said if isinstance(said, str) else "in parts"
            shown = one_line(name) if name else quoted(clip(words, 60)) if words else None
            shown = None if name and name == case_id else shown
            label = f"[{one_line(case_id)}]" + ("" if shown is None else f" {shown}")
            case = Case(id=case_id, name=name, turns=(ScriptedTurn(content=said),))
            assert case_label(case) == label
            for width in (1, 20, 40, 78):
                assert clipped_label(case, width) == clip(label, width)


def test_a_case_that_says_nothing_is_known_by_its_id():
    assert case_label(Case(id="T1")) == "[T1]"


def test_a_case_without_words_is_known_by_its_parts():
    image = {"type": "image_url", "image_url": {"url": "data:,"}}
    sound = {"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}
    assert case_label(Case(id="T1", turns=(ScriptedTurn(content=[image, sound]),))) == "[T1] [image] [audio]"
    seen = [{"type": "text", "text": "What is this?"}, image]
    assert case_label(Case(id="T1", turns=(ScriptedTurn(content=seen),))) == '[T1] "What is this?"'


def test_a_case_that_never_passed_always_fails():
    stability = results.flaky().stability
    assert stability is not None
    never = structs.replace(stability, passed=0, failed=10, pass_rate=0.0, stability_class="highly_unstable")
    assert stability_words(never).startswith("always fails (")


def test_cases_that_always_fail_are_not_called_unstable():
    assert stable_words(Summary(stable_cases=3, unstable_cases=1_005)) == "3 of 1,008"


def test_a_name_that_the_id_says_is_said_once():
    named = Case(id="orders[sold out]", name="sold out", turns=(ScriptedTurn(content="Hello"),))
    assert case_label(named) == clipped_label(named, 80) == "[orders[sold out]]"
    for case_id, name in (("orders", "sold out"), ("orders[2]", "2."), ("sold out!", "sold out")):
        assert case_label(structs.replace(named, id=case_id, name=name)) == f"[{case_id}] {name}"
    assert case_label(structs.replace(named, id="hi", name="hi")) == "[hi]"


def test_no_number_is_shown_with_the_noise_of_binary_fractions():
    data = {"total": 0.1 + 0.2}
    assert outcome_text(ToolCall(id="c", name="pay", result=data)) == '{"total":0.3}'
    assert said_text(AgentReply(data=data)) == '{"total":0.3}'
    assert said_text(AgentReply(text=text_of(data), data=data)) == '{"total":0.3}'
    assert said_text(AgentReply(text=f"It makes {0.1 + 0.2}.")) == "It makes 0.30000000000000004.", "its own words stay"


def test_how_far_outputs_agree_is_said_exactly_and_tolerantly_where_they_differ():
    stability = results.flaky().stability
    assert stability is not None
    assert agreement_words(stability) == "outputs: 80 % the same, 90 % the same or nearly so"
    assert agreement_words(structs.replace(stability, consistency=1.0, similar_consistency=1.0)) == ""
    assert agreement_words(structs.replace(stability, consistency=0.0, similar_consistency=0.0)) == "", (
        "no output at all"
    )
    assert agreement_words(structs.replace(stability, runs=1)) == ""


@pytest.mark.parametrize(
    ("kind", "fields", "title"),
    [
        ("only", {"names": ["pay"]}, 'only ["pay"]'),
        ("sequence", {"calls": ["look", "pay"], "match": "in_order"}, 'sequence ["look", "pay"] {match: "in_order"}'),
        ("number", {"max": 10}, "number {max: 10}"),
        ("number", {"min": 1, "max": 10}, "number {min: 1, max: 10}"),
        ("latency", {"max": "2s"}, 'latency "2s"'),
        ("agent", {"use": "agents:judge", "value": "is polite"}, 'agent agents:judge: "is polite"'),
        ("agent", {"criteria": "grounded", "context": ["x"], "value": "short"}, 'agent grounded: "short"'),
    ],
)
def test_a_check_is_titled_as_it_was_written(kind: str, fields: JsonObject, title: str):
    assert check_title(AssertionSpec(type=kind, fields=fields)) == title


def test_a_failure_stands_at_the_line_of_its_turn_where_that_is_known():
    check = made.spec("contains", value="x")
    good, bad = made.turn(1, "a", "b"), made.turn(2, "c", "d", verdicts=(made.failed(check, "no x"),))
    lines = [ScriptedTurn(content="a", line=5), ScriptedTurn(content="c", line=7)]
    case = Case(id="T1", origin=Origin("t.yaml", 2), turns=tuple(lines))
    assert failed_at(case, made.attempt(good, bad)) == Origin("t.yaml", 7)
    assert failed_at(case, made.attempt(good)) == Origin("t.yaml", 2), "no turn failed"
    by_simulator = made.turn(2, "c", "d", source="simulator", verdicts=(made.failed(check, "no x"),))
    assert failed_at(case, made.attempt(good, by_simulator)) == Origin("t.yaml", 2), "the script says something else"
    unknown = structs.replace(case, turns=(ScriptedTurn(content="a"), ScriptedTurn(content="c")))
    assert failed_at(unknown, made.attempt(good, bad)) == Origin("t.yaml", 2)


def test_a_failure_stands_at_the_line_of_its_check_where_that_is_known():
    x, y, z = (made.spec("contains", value=value) for value in "xyz")
    origin = Origin("t.yaml", 2, ((21, 22), (31,), (), (11, 12)))
    turns = (ScriptedTurn(content="a", line=5), ScriptedTurn(content="c", line=7, assertions=(x, y)))
    case = Case(id="T1", origin=origin, turns=turns, assertions=(x, z), final_assertions=(y,))
    good, bad = made.turn(1, "a", "b"), made.turn(2, "c", "d", verdicts=(made.passed(x), made.failed(y, "no y")))
    assert failed_at(case, made.attempt(good, bad)) == Origin("t.yaml", 12)
    of_case = structs.replace(made.attempt(good), verdicts=(made.passed(x), made.failed(z, "no z")))
    assert failed_at(case, of_case) == Origin("t.yaml", 22)
    at_the_end = structs.replace(made.attempt(good), final_verdicts=(made.failed(y, "no y"),))
    assert failed_at(case, at_the_end) == Origin("t.yaml", 31)
    both = structs.replace(made.attempt(good), verdicts=(made.broken(x, "unread"), made.failed(z, "no z")))
    assert failed_at(case, both) == Origin("t.yaml", 22), "the reason of the case is that of the check that failed"
    filled_in = made.spec("contains", value="the value of a variable")
    judged = structs.replace(made.attempt(good), verdicts=(made.passed(x), made.failed(filled_in, "no")))
    assert failed_at(case, judged) == Origin("t.yaml", 22), "known by its position"
    shared = structs.replace(made.attempt(good), verdicts=(made.failed(made.spec("regex", value="r"), "no r"),))
    assert failed_at(case, shared).line == 2, "a check of `defaults:` stands elsewhere"


def test_the_reason_of_a_judge_says_what_it_was_asked():
    polite = made.spec("agent", use="agents:judge", value="Is it polite?")
    rude = made.attempt(
        made.turn(1, "a", "b"),
        status=Status.FAILED,
        error="It was rude.",
        verdicts=(made.failed(polite, "It was rude."),),
    )
    assert reason_of(made.result(made.case("T1", "a"), rude)) == "It was rude. (asked: Is it polite?)"


@pytest.mark.parametrize(
    ("script", "said", "status", "words"),
    [
        (5, 2, Status.FAILED, "turns 3–5 were not reached"),
        (3, 2, Status.ERROR, "turn 3 was not reached"),
        (2, 2, Status.FAILED, ""),
        (2, 0, Status.ERROR, ""),
        (3, 2, Status.PASSED, ""),
        (3, 2, Status.SKIPPED, ""),
    ],
)
def test_turns_that_were_never_said_are_named(script: int, said: int, status: Status, words: str):
    turns = tuple(ScriptedTurn(content=str(number)) for number in range(script))
    taken = [made.turn(number, "a", "b") for number in range(1, said + 1)]
    assert unsaid_turns(Case(id="T1", turns=turns), made.attempt(*taken, status=status)) == words
