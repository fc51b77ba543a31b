"""Writing imported cases."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import DATA, cases_of, imported

from vivavoce.errors import UsageError
from vivavoce.imports.case_files import case_to_write, environment_variable, id_of, unique_ids, write_cases, write_code
from vivavoce.imports.found import CodeFile, FoundCase, Remark
from vivavoce.model.case import Origin


def found(**case: object) -> FoundCase:
    left = Remark(outcome="left_out", what="bleu: none")
    return FoundCase(case=dict(case), at=Origin("in/x.yaml", 7), remarks=(left,))


@pytest.mark.parametrize(
    ("name", "case_id"),
    [("Refunds the order!", "refunds-the-order"), ("a_b.c", "a_b.c"), ("  ", "case"), ("Grüße, Welt", "grüße-welt")],
)
def test_ids_are_made_of_the_words_of_a_name(name: str, case_id: str):
    assert id_of(name) == case_id


def test_ids_are_unique_and_stay_the_same():
    assert unique_ids(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]


def test_a_case_knows_where_it_comes_from_and_waits_for_somebody_to_look():
    case = case_to_write(found(input="Hi", **{"assert": list[Any]()}), "a", partial=False)
    assert case == {"id": "a", "input": "Hi", "skip": "import: bleu: none", "metadata": {"source": "x.yaml:7"}}
    assert "skip" not in case_to_write(found(input="Hi"), "a", partial=True)


def test_only_what_a_reader_put_in_is_a_variable():
    case = case_to_write(found(input=f"{environment_variable('KEY')} and ${{ENV.KEY}}"), "a", partial=True)
    assert case["input"] == "${ENV.KEY} and $${ENV.KEY}"


def test_a_dollar_brace_of_a_foreign_text_is_no_variable(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("question,must_contain\nWhat is ${x}?,${y}\n")
    (case,) = cases_of(imported(tmp_path, None, table)[0].target).values()
    assert case.first_input == "What is $${x}?"


def test_a_file_that_no_import_wrote_is_left_alone(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "evals.jsonl").write_text('{"id": "mine", "input": "x"}\n')
    with pytest.raises(UsageError, match="was not written by an import"):
        imported(tmp_path, "skills", DATA / "agent-skills" / "evals.json")


def test_what_is_said_of_two_checks_is_one_comment(tmp_path: Path):
    twice = FoundCase(case={}, at=Origin("x.yaml"), remarks=found().remarks * 2)
    write_cases(tmp_path / "x.jsonl", "x", [({"id": "a", "input": "Hi"}, twice)])
    assert (tmp_path / "x.jsonl").read_text().count("// bleu: none") == 1


def test_a_long_case_is_laid_out_and_read_back(tmp_path: Path):
    checks = [{"type": "contains", "value": f"text {number} " * 5} for number in range(5)]
    write_cases(tmp_path / "x.jsonl", "table x", [({"id": "a", "input": "Hi", "assert": checks}, found())])
    text = (tmp_path / "x.jsonl").read_text()
    assert max(map(len, text.splitlines())) < 130
    assert text.startswith("// viva import table x\n")
    assert "\n// bleu: none\n" in text
    (case,) = cases_of(tmp_path / "x.jsonl").values()
    assert [spec.fields["value"] for spec in case.assertions] == [check["value"] for check in checks]


def test_code_of_somebody_else_is_left_alone(tmp_path: Path):
    (tmp_path / "x_checks.py").write_text("mine = 1\n")
    with pytest.raises(UsageError, match="was not written by an import"):
        write_code(CodeFile(path=tmp_path / "x_checks.py", text="", checks=1), "promptfoo x")


def test_a_number_that_json_does_not_know_is_written_as_text(tmp_path: Path):
    case = {"id": "a", "input": "Hi", "metadata": {"most": float("inf")}}
    write_cases(tmp_path / "c.jsonl", "x.yaml", [(case, found(**case))])
    assert '"most": "inf"' in (tmp_path / "c.jsonl").read_text()


def test_a_conversation_is_over_after_its_last_turn_as_in_the_other_tools():
    assert case_to_write(found(turns=[{"input": "Hi"}]), "a", partial=True)["on_missing_input"] == "end"
    simulated = found(turns=[{"input": "Hi"}], simulator={"use": "agents:user"})
    assert "on_missing_input" not in case_to_write(simulated, "a", partial=True)
