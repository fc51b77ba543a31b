"""All problems of a case are reported at once, each with its own line."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.protocols import Source
from vivavoce.sources.reading.json_file import JsonSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.yaml_file import YamlSource

JSON = """{
  "id": "T",
  "nmae": "x",
  "timeout": "soon",
  "runs": 0,
  "turns": [
    {"input": "a",
     "options": {"conector": "x", "mode": 5},
     "assert": [
       {"type": "contians", "value": "a"},
       {"type": "contains", "vlaue": "a"},
       {"tools": {"forbid": [5],
                  "reqire": []}}
     ]},
    {"inptu": "b"},
    {"input": 5}
  ],
  "checkpoints": [
    {"id": "c",
     "after": "d",
     "assert": {"type": "regex", "value": "("}}
  ],
  "simulator": {}
}"""
EXPECTED = [
    (3, "unknown field 'nmae' (did you mean 'name'?)"),
    (4, "timeout: bad duration 'soon'"),
    (5, "runs: wanted a whole number, 1 or more, found 0"),
    (8, "turns[0].options: unknown field 'conector' (did you mean 'connector'?)"),
    (8, "turns[0].options.mode: wanted text, found 5"),
    (10, "turns[0].assert[0]: unknown assertion type 'contians' (did you mean 'contains'?)"),
    (11, "turns[0].assert[1]: unknown field 'vlaue' in the assertion 'contains' (did you mean 'value'?)"),
    (12, "turns[0].assert[2].tools.forbid[0]: in the assertion 'forbid': name: "),
    (13, "turns[0].assert[2].tools: unknown key 'reqire' (did you mean 'require'?)"),
    (15, "turns[1]: unknown field 'inptu' (did you mean 'input'?)"),
    (16, "turns[2].input: wanted text or content parts, found 5"),
    (20, "checkpoints[0].after: there is no checkpoint 'd'"),
    (21, "checkpoints[0].assert: in the assertion 'regex': bad regex '('"),
    (23, "simulator: 'use' is missing"),
]


def problems_of(source: Source, shift: int = 0) -> list[tuple[int, str]]:
    found = list(source.read())
    assert not any(isinstance(case, Case) and case.id == "T" for case in found)
    lines = [str(problem).partition(":")[2].partition(": ") for problem in found if isinstance(problem, UsageError)]
    return [(int(line) - shift, what) for line, _, what in lines]


def assert_same(found: list[tuple[int, str]], expected: list[tuple[int, str]]) -> None:
    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, what), (_, wanted) in zip(found, expected, strict=True):
        assert what.startswith(wanted)


def test_in_jsonl(tmp_path: Path):
    file = tmp_path / "c.jsonl"
    file.write_text(f'{{"id": "ok", "input": "hi"}}\n\n{JSON}\n', encoding="utf-8")
    assert_same(problems_of(JsonlSource(file, "c.jsonl"), 2), EXPECTED)


def test_in_json(tmp_path: Path):
    file = tmp_path / "c.json"
    file.write_text(f'[{{"id": "ok", "input": "hi"}},\n{JSON}]\n', encoding="utf-8")
    assert_same(problems_of(JsonSource(file, "c.json"), 1), EXPECTED)


def test_in_yaml_which_may_hold_the_same(tmp_path: Path):
    file = tmp_path / "c.viva.yaml"
    file.write_text(f"---\n{JSON}\n", encoding="utf-8")
    assert_same(problems_of(YamlSource(file, "c.viva.yaml"), 1), EXPECTED)


def test_in_block_yaml(tmp_path: Path):
    file = tmp_path / "c.viva.yaml"
    file.write_text(
        "nmae: x\nturns:\n  - user: hi\n    assert:\n      text:\n        must_match: '('\n"
        "        must_mach: x\n  - user: 5\nhooks:\n  - cmd: run it\nexpected:\n",
        encoding="utf-8",
    )
    assert_same(
        sorted(problems_of(YamlSource(file, "c.viva.yaml"))),
        [
            (1, "unknown field 'nmae'"),
            (6, "turns[0].assert.text.must_match: in the assertion 'must_match': bad regex"),
            (7, "turns[0].assert.text: unknown key 'must_mach' (did you mean 'must_match'?)"),
            (8, "turns[1].user: wanted text or content parts, found 5"),
            (10, 'hooks[0].cmd: wanted a list, found "run it" (write it like ["bash","setup.sh"])'),
            (11, "expected: it is empty"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"id": 5, "input": "a", "assrt": 1}', 2),
        ('{"input": "a", "assrt": 1}', 2),
        ('{"id": "T", "checkpoints": [{"id": "c", "asert": {}}], "input": "a"}', 1),
        ('{"id": "T", "turns": [{"inptu": "x"}]}', 1),
    ],
)
def test_what_only_follows_from_another_problem_is_not_reported(tmp_path: Path, text: str, count: int):
    file = tmp_path / "c.jsonl"
    file.write_text(text, encoding="utf-8")
    assert len(problems_of(JsonlSource(file, "c.jsonl"))) == count
