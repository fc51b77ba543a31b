"""`viva import`: what became of every check is said, and decides the exit code."""

import pytest
from tests.cli.conftest import VivaProject

TABLE = "question,exactly,mood\nWhat is a mug?,A mug is 18.00.,calm\n"
WHOLE = """
prompts: ['{{question}}']
providers: [echo]
tests:
- vars: {question: hi}
  assert: [{type: contains, value: hi}]
"""
IN_PART = f"{WHOLE}- vars: {{question: ho}}\n  assert: [{{type: contains, value: ho}}, {{type: webhook, value: 'http://x/'}}]\n"


def test_a_table_becomes_cases_that_run(project: VivaProject):
    project.write("q.csv", TABLE)
    done = project.viva("import", "table", "q.csv", "--input", "question", "--equals", "exactly", "-o", "tests")
    assert done.code == 0, done.text
    assert done.out.startswith("q.csv (a table): 1 case → tests/q.jsonl\n")
    assert "translated 1 of 1 assertion" in done.out
    assert project.viva("test", "-i", "tests", "-o", "out.jsonl").code == 1
    assert list(project.statuses().values()) == ["failed"]


def test_the_kind_is_found_out(project: VivaProject):
    project.write("promptfooconfig.yaml", WHOLE)
    done = project.viva("import", "promptfooconfig.yaml", "-o", "tests")
    assert (done.code, done.out.startswith("promptfooconfig.yaml (promptfoo): 1 case")) == (0, True), done.text


def test_a_check_that_was_left_out_is_exit_1_and_its_case_is_skipped(project: VivaProject):
    project.write("promptfooconfig.yaml", IN_PART)
    done = project.viva("import", "promptfoo", "promptfooconfig.yaml", "-o", "tests")
    assert done.code == 1, done.text
    assert "translated 2 of 3 assertions; 1 needs you" in done.out
    assert "are skipped until somebody looks at them (--partial runs them)" in done.out
    project.viva("test", "-i", "tests", "-o", "out.jsonl")
    assert sorted(project.statuses().values()) == ["passed", "skipped"]


def test_partial_runs_it_and_is_exit_0(project: VivaProject):
    project.write("promptfooconfig.yaml", IN_PART)
    assert project.viva("import", "promptfoo", "promptfooconfig.yaml", "-o", "tests", "--partial").code == 0
    project.viva("test", "-i", "tests", "-o", "out.jsonl")
    assert sorted(project.statuses().values()) == ["passed", "passed"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["promptfoo"], "no file to import"), (["nowhere.csv"], "nowhere.csv"), (["agent.py"], "agent.py")],
    ids=["no file", "no such file", "nobody's file"],
)
def test_what_cannot_be_imported_is_exit_2(project: VivaProject, arguments: list[str], said: str):
    done = project.viva("import", *arguments, "-o", "tests")
    assert (done.code, said in done.err) == (2, True), done.text


def test_tests_without_a_check_are_told(project: VivaProject):
    project.write("goldens.json", '[{"input": "hi"}, {"input": "ho", "expected_tools": [{"name": "greet"}]}]')
    done = project.viva("import", "deepeval", "goldens.json", "-o", "tests")
    assert done.code == 0, done.text
    assert "1 case has no check: it passes whatever the agent answers" in done.out


def test_checks_that_need_a_model_are_told(project: VivaProject):
    judged = WHOLE.replace(
        "{type: contains, value: hi}", "{type: llm-rubric, value: polite}, {type: contains, value: hi}"
    )
    project.write("promptfooconfig.yaml", judged)
    done = project.viva("import", "promptfooconfig.yaml", "-o", "tests")
    assert "1 check is judged by a model: name the model with -c CONNECTOR, or run.connector in viva.yaml" in done.out


def test_checks_that_promptfoo_itself_passes_over_are_told(project: VivaProject):
    project.write("promptfooconfig.yaml", f"{WHOLE}assert: [{{type: contains, value: hi}}]\n")
    done = project.viva("import", "promptfooconfig.yaml", "-o", "tests")
    assert "promptfooconfig.yaml:7: assert: promptfoo reads no checks here; move them into defaultTest" in done.out
    assert done.code == 0
