"""One case for every row: ids, what is wrong with a row, a table or a template, and where."""

import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.sources.discover import sources_for
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.tables.each_row import MOST_PROBLEMS

CSV = "order,amount\nA-1,30\nA-2,40\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write(**files: str) -> None:
    for name, text in files.items():
        path = Path(name.replace("__", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _read(*inputs: str, **config: Any) -> tuple[list[Case], list[str]]:
    cases: list[Case] = []
    problems: list[str] = []
    for source in sources_for(inputs, Project(root=Path.cwd(), config=Config(**config))):
        for found in source.read():
            if isinstance(found, Case):
                cases.append(found)
            else:
                problems.append(str(found))
    return cases, problems


def _problems(template: str, table: str = CSV, name: str = "t.csv", **config: Any) -> list[str]:
    Path(name).write_text(table)
    Path("a.jsonl").write_text(template)
    return _read("a.jsonl", **config)[1]


def test_rows_are_numbered_or_named_by_a_column_or_by_the_author() -> None:
    _write(t__csv=CSV, i__csv="id,x\nred,1\nblue,2\n")
    _write(
        a__jsonl="""{"id": "n", "each": "t.csv", "input": "${order}"}
{"id": "c", "each": {"file": "t.csv", "id": "order"}, "input": "x"}
{"id": "i", "each": "i.csv", "input": "${x}"}
{"id": "own-${order}", "each": "t.csv", "input": "x"}
{"id": "plain", "input": "costs ${HOME}"}
"""
    )
    cases, problems = _read("a.jsonl")
    assert problems == []
    assert [case.id for case in cases] == [
        *("n[1]", "n[2]", "c[A-1]", "c[A-2]", "i[red]", "i[blue]", "own-A-1", "own-A-2", "plain")
    ]
    assert cases[0].first_input == "A-1"
    assert cases[-1].first_input == "costs ${HOME}"
    assert cases[1].key == "a.jsonl::n[2]"


def test_yaml_and_json_files_have_tables_too() -> None:
    _write(t__csv=CSV, refund__viva__yaml="each: t.csv\nturns:\n  - user: refund ${order}\n")
    _write(b__json='[{"id": "b", "each": "t.csv", "input": "${amount}"}]')
    cases, problems = _read("refund.viva.yaml", "b.json")
    assert (problems, [case.id for case in cases]) == ([], ["refund[1]", "refund[2]", "b[1]", "b[2]"])
    assert cases[0].rules.on_missing_input == "end"


def test_a_table_is_found_beside_the_file_or_in_the_project() -> None:
    _write(t__csv=CSV)
    Path("tests").mkdir()
    Path("tests/a.jsonl").write_text('{"id": "a", "each": "t.csv", "input": "${order}"}')
    assert len(_read("tests/a.jsonl")[0]) == 2
    Path("tests/t.csv").write_text("order\nonly\n")
    assert [case.first_input for case in _read("tests/a.jsonl")[0]] == ["only"]


def test_a_column_that_is_not_there_is_told_once_at_its_field() -> None:
    template = """{"id": "a", "each": "t.csv",
 "input": "${amout} ${x}",
 "metadata": {"n": "${amout}"}}"""
    assert _problems(template) == [
        "a.jsonl:2: input: t.csv has no column 'amout' (did you mean 'amount'?)",
        "a.jsonl:2: input: t.csv has no column 'x' (its columns: order, amount; write $${ for a literal ${)",
    ]
    template = '{"id": "a", "each": {"file": "t.csv", "id": "ordr"}, "input": "x"}'
    assert _problems(template) == ["a.jsonl:1: each: t.csv has no column 'ordr' (did you mean 'order'?)"]


def test_variables_of_the_project_and_of_hooks_are_no_columns() -> None:
    template = '{"id": "a", "each": "t.csv", "input": "${order} ${TOKEN} ${ENV.HOME}"}'
    assert _problems(template, variables={"TOKEN": "x"}) == []
    assert len(_problems(template)) == 1
    assert _problems(template.replace('"input"', '"before": "scripts:setup", "input"')) == []


def test_a_missing_key_of_a_json_row_is_told_with_the_line_of_the_row() -> None:
    template = '{"id": "a", "each": "t.jsonl", "input": "${order}"}'
    assert _problems(template, '{"order": "1"}\n{"odrer": "2"}\n', "t.jsonl") == [
        "t.jsonl:2: there is no 'order' in this row (did you mean 'odrer'?)"
    ]


def test_a_bad_row_is_told_with_its_line_and_the_others_are_still_read() -> None:
    table = "order,time\nA-1,30s\nA-2,soon\nA-3\nA-4,1m\n"
    _write(t__csv=table, a__jsonl='{"id": "a", "each": "t.csv", "input": "x", "timeout": "${time}"}')
    cases, problems = _read("a.jsonl")
    assert [case.id for case in cases] == ["a[1]", "a[4]"]
    assert problems[0].startswith("t.csv:3: timeout: ")
    assert problems[1].startswith("t.csv:4: 1 cell, but the header has 2")


def test_what_is_wrong_with_the_template_is_told_once_at_its_line() -> None:
    template = '{"id": "a", "each": "t.csv",\n "input": "${order}",\n "assrt": []}'
    assert _problems(template) == ["a.jsonl:3: unknown field 'assrt' (did you mean 'assert'?)"]


def test_the_same_id_twice_names_both_lines() -> None:
    template = '{"id": "${order}", "each": "t.csv", "input": "x"}'
    assert _problems(template, "order\nA\nB\nA\n") == ["t.csv:4: duplicate id 'A', first used in line 2"]


def test_rows_and_other_cases_of_a_file_have_no_id_in_common() -> None:
    rows, case = '{"id": "${order}", "each": "t.csv", "input": "x"}', '{"id": "B", "input": "x"}'
    assert _problems(f"{rows}\n{case}\n", "order\nA\nB\n") == [
        "a.jsonl:2: duplicate id 'B', the id of a row too: line 3 of its table"
    ]
    assert _problems(f"{case}\n{rows}\n", "order\nA\nB\n") == ["t.csv:3: duplicate id 'B', first used in a.jsonl:1"]


@pytest.mark.memory
def test_a_row_costs_a_few_bytes() -> None:
    _write(t__csv="order\n" + "\n".join(f"A-{number}" for number in range(60_000)))
    _write(a__jsonl='{"id": "a", "each": {"file": "t.csv", "id": "order"}, "input": "x"}')
    found = JsonlSource(Path("a.jsonl"), "a.jsonl").read()
    assert isinstance(next(found), Case)
    tracemalloc.start()
    try:
        assert sum(isinstance(one, Case) for one in found) == 59_999
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most / 60_000 < 60, kept


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ('{"id": "a", "each": "t.csv", "input": "x"}', "a.jsonl:1: each: t.csv has no rows"),
        ('{"id": "a", "each": "s.csv", "input": "x"}', "a.jsonl:1: each: no such table: s.csv (did you mean 't.csv'?)"),
        ('{"id": "a", "each": "t.xlsx", "input": "x"}', "a.jsonl:1: each: not a table: t.xlsx"),
        ('{"id": "a", "each": 7, "input": "x"}', "a.jsonl:1: each: wanted the path of a table, found 7"),
        ('{"id": "a", "each": {"fil": "t.csv"}, "input": "x"}', "a.jsonl:1: each: 'file' is missing"),
    ],
)
def test_a_table_that_is_none(template: str, problem: str) -> None:
    (found, *_) = _problems(template, "order\n")
    assert found.startswith(problem)


def test_a_table_full_of_bad_rows_is_given_up() -> None:
    template = '{"id": "a", "each": "t.csv", "input": "x", "timeout": "${t}"}'
    problems = _problems(template, "t\n" + "soon\n" * 1000)
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == f"t.csv: {MOST_PROBLEMS} bad rows: the rest is not looked at"


def test_a_table_in_a_folder_is_no_file_of_cases() -> None:
    os.makedirs("tests")
    Path("tests/people.jsonl").write_text('{"name": "ada"}\n')
    Path("tests/a.viva.yaml").write_text("each: people.jsonl\nturns: [{user: 'hi ${name}'}]\n")
    cases, problems = _read("tests")
    assert (problems, [case.first_input for case in cases]) == ([], ["hi ada"])


def test_rows_are_picked_by_id_and_a_case_with_all_its_rows_by_its_own_id_or_line() -> None:
    _write(t__csv=CSV)
    _write(a__jsonl='{"id": "a",\n "each": "t.csv",\n "input": "x"}\n{"id": "b", "input": "y"}\n')
    assert [case.id for case in _read("a.jsonl::a[2]")[0]] == ["a[2]"]
    assert [case.id for case in _read("a.jsonl::a")[0]] == ["a[1]", "a[2]"]
    assert [case.id for case in _read("a.jsonl:2")[0]] == ["a[1]", "a[2]"]
    assert [case.id for case in _read("a.jsonl:4")[0]] == ["b"]


def test_a_table_has_no_place_in_a_case_that_is_no_files() -> None:
    from vivavoce.sources.reading.given import GivenSource

    (problem,) = GivenSource([{"id": "a", "each": "t.csv", "input": "x"}]).read()
    assert "only a case of a file can have a table" in str(problem)
