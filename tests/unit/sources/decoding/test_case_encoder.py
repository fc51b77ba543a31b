from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.model.case import Case, Origin
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.yaml_file import YamlSource

HERE = Origin("a.jsonl", 1)
SEEDS = Path(__file__).parents[3] / "data" / "seeds"

word = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=8)
plain_json = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False) | word,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(word, inner, max_size=3),
    max_leaves=5,
)
free_object = st.dictionaries(word, plain_json, max_size=3)
duration = st.sampled_from(["500ms", "30s", "1.5m", "2m30s", "1h", "0.3ms", "1234567us", "61.25s"])
assertion = st.one_of(
    st.fixed_dictionaries({"type": st.just("contains"), "value": word}, optional={"negate": st.booleans()}),
    st.fixed_dictionaries({"type": st.just("equals"), "value": plain_json}, optional={"message": word}),
    st.just({"type": "regex", "pattern": "a+"}),
    st.just({"type": "json_path", "path": "$.a", "value": 1}),
    st.just({"type": "type", "path": "$.a", "value": "number"}),
    st.just({"type": "tool_called", "value": {"name": "t", "arguments": {"a": 1}}}),
    st.just(
        {"tools": {"forbid": ["x"], "require": [{"name": "y", "count": {"exact": 1}}]}, "timing": {"max_gap_ms": 5}}
    ),
)
assertions = assertion | st.lists(assertion, max_size=2)
part = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": word}),
    st.fixed_dictionaries({"type": st.just("image"), "url": word}, optional={"detail": st.just("high")}),
    st.just({"type": "image", "source": "file://a.png", "detail": "low"}),
    st.just({"type": "audio", "data": "QUJD", "format": "wav"}),
    st.just({"type": "file", "source": "file://a.pdf", "name": "b.pdf"}),
    st.just({"type": "file", "url": "https://example.com/a.pdf"}),
    st.just({"type": "mystery", "text": "t", "lost": 1}),
)
content = word | part | st.lists(part, min_size=1, max_size=2)
call = st.fixed_dictionaries({"id": word, "function": st.fixed_dictionaries({"name": word, "arguments": free_object})})
message = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": content}, optional={"name": word}),
    st.fixed_dictionaries({"role": st.sampled_from(["assistant", "system"]), "content": word}, optional={"id": word}),
    st.fixed_dictionaries({"role": st.just("assistant"), "tool_calls": st.lists(call, min_size=1, max_size=2)}),
    st.fixed_dictionaries({"role": st.just("tool"), "content": word, "tool_call_id": word}),
)
options = st.fixed_dictionaries(
    {},
    optional={
        "connector": word,
        "mode": word,
        "search": plain_json,
        "skip": st.dictionaries(word, st.booleans(), max_size=2),
        "metadata": free_object,
    },
)
resume = st.fixed_dictionaries(
    {}, optional={"id": word, "reason": word, "tool": word, "cancelled": st.booleans(), "payload": plain_json}
)
user_message = st.fixed_dictionaries({"role": st.just("user"), "content": content}, optional={"name": word})
turn = st.fixed_dictionaries(
    {"input": content | user_message},
    optional={
        "attachments": st.lists(part, max_size=2),
        "assert": assertions,
        "assertions": assertions,
        "options": options,
        "resume": resume | st.lists(resume, max_size=2),
    },
)
simulator = st.fixed_dictionaries({"use": word}, optional={"options": options, "metadata": free_object})
checkpoints = st.lists(
    st.fixed_dictionaries({"assert": assertion}, optional={"description": word, "required": st.booleans()}), max_size=3
).map(lambda entries: [{"id": f"c{n}", **entry, "after": [f"c{n - 1}"] * (n > 0)} for n, entry in enumerate(entries)])
answer = st.one_of(
    st.fixed_dictionaries({"value": plain_json}, optional={"once": st.booleans(), "when": st.just({"a": "x"})}),
    st.just({"error": "no"}),
    st.just({"script": "scripts:x"}),
)
tool = st.fixed_dictionaries(
    {"name": word},
    optional={"description": word, "parameters": free_object, "answers": st.lists(answer, max_size=2)},
)
case_fields = st.fixed_dictionaries(
    {"id": word},
    optional={
        "name": word,
        "description": word,
        "tags": st.lists(word, max_size=2),
        "metadata": free_object,
        "skip": st.booleans() | st.just("not now"),
        "agent": word,
        "user": word,
        "team": word,
        "locale": word,
        "options": options,
        "timeout": duration,
        "type": st.sampled_from(["single_turn", "multi_turn"]),
        "input": word | message | st.lists(message, max_size=3),
        "messages": st.lists(message, max_size=3),
        "expected": plain_json,
        "assert": assertions,
        "assertions": assertions,
        "turns": st.lists(turn, max_size=2),
        "simulator": simulator,
        "checkpoints": checkpoints,
        "max_turns": st.integers(0, 50),
        "interactive": st.fixed_dictionaries({}, optional={"enabled": st.booleans(), "timeout": duration}),
        "on_missing_input": st.sampled_from(["skip", "fail", "end"]),
        "final_assertions": assertions,
        "stop_on_failure": st.booleans(),
        "hooks": st.lists(
            st.fixed_dictionaries(
                {"cmd": st.lists(word, min_size=1, max_size=2)}, optional={"timeout_ms": st.integers(1, 10**7)}
            ),
            max_size=2,
        ),
        "before": word,
        "after": word,
        "tools": st.lists(tool, max_size=2, unique_by=lambda entry: entry["name"]),
        "state": plain_json,
        "thread_id": word,
        "runs": st.integers(5, 9),
        "min_pass": st.integers(1, 5),
    },
)


def somebody_speaks(fields: dict[str, Any]) -> bool:
    one_turn_too_many = fields.get("type") == "single_turn" and len(fields.get("turns", [])) > 1
    said = fields.get("messages") or fields.get("input")
    two_scripts = fields.get("input") is not None and bool(fields.get("turns"))
    speaks = bool(fields.get("turns") or said or fields.get("simulator"))
    return speaks and not one_turn_too_many and not two_scripts


@settings(max_examples=at_most(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case_fields.filter(somebody_speaks))
def test_what_is_encoded_decodes_to_the_same_case(fields: dict[str, Any]):
    case = decode_case(fields, HERE)
    line = msgspec.json.encode(encode_case(case))
    assert decode_case(msgspec.json.decode(line), HERE) == case


def without_lines(case: Case) -> Case:
    return msgspec.structs.replace(case, turns=tuple(msgspec.structs.replace(turn, line=0) for turn in case.turns))


@pytest.mark.parametrize("file", sorted(SEEDS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_the_seeds_cases_survive(file: Path):
    for case in JsonlSource(file, file.name).read():
        if isinstance(case, Case):
            assert decode_case(encode_case(case), case.origin) == without_lines(case)


def test_a_yaml_test_becomes_the_same_case_in_jsonl():
    (case,) = YamlSource(SEEDS / "001_checkout.yaml", "x.yaml").read()
    assert isinstance(case, Case)
    again = decode_case(encode_case(case), case.origin)
    assert again == without_lines(case)


def test_nothing_is_written_that_goes_without_saying():
    plain = {"id": "T", "input": "hi"}
    assert encode_case(decode_case(plain, HERE)) == plain
    checked = {"id": "T", "input": "hi", "expected": 5}
    assert encode_case(decode_case(checked, HERE)) == checked
    turns = {"id": "T", "turns": [{"input": "a"}, {"input": "b"}], "timeout": "2m30s"}
    assert encode_case(decode_case(turns, HERE)) == turns
    many = {"id": "T", "input": "hi", "type": "multi_turn"}
    assert encode_case(decode_case(many, HERE)) == {"id": "T", "turns": [{"input": "hi"}]}
