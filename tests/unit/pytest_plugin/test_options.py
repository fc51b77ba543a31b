"""The declared run options as pytest's: `--viva-NAME`."""

import json

import pytest
from tests.unit.pytest_plugin.suite import CONFIG, Suite

from vivavoce.errors import UsageError, VivaError
from vivavoce.project.run_options import RUN_OPTIONS
from vivavoce.pytest_plugin.options import add_options, in_pytest

pytestmark = pytest.mark.process


def test_run_options_come_from_flags_variables_and_viva_yaml(suite: Suite):
    suite.write("a.viva.json", '[{"id": "A", "input": "x"}, {"id": "B", "input": "x"}]')

    def runs(*flags: str, **variables: str) -> list[int]:
        suite.pytest("-q", "--viva-output=out.jsonl", *flags, **variables)
        rows = [json.loads(line) for line in (suite.root / "out.jsonl").read_text().splitlines()]
        return [row.get("runs", 1) for row in rows if row["type"] == "result"]

    assert runs() == [1, 1]
    suite.write("viva.yaml", f"{CONFIG}run: {{runs: 2}}\n")
    assert runs() == [2, 2]
    assert runs(VIVA_RUNS="3") == [3, 3]
    assert runs("--viva-runs=4", VIVA_RUNS="3") == [4, 4]


def test_a_bad_value_is_reported_before_anything_is_collected(suite: Suite):
    suite.write("a.viva.json", '[{"id": "A", "input": "x"}]')
    done = suite.pytest("-q", "--viva-runs=many")
    assert done.code == 4
    assert done.out.count("--viva-runs: 'many' is not a whole number") == 1
    assert "src/vivavoce" not in done.out
    assert "VIVA_RUNS: 'many' is not a whole number" in suite.pytest("-q", VIVA_RUNS="many").out


def offered() -> pytest.Parser:
    parser = pytest.Parser(_ispytest=True)
    add_options(parser.getgroup("viva"))
    return parser


def test_every_option_that_makes_sense_under_pytest_is_offered_and_is_none_when_not_given():
    parsed = vars(offered().parse([]))
    wanted = {f"viva_{one.name}" for one in RUN_OPTIONS if one.pytest is not None}
    assert {name for name in parsed if name.startswith("viva_")} == wanted
    assert {parsed[name] for name in wanted} == {None}


@pytest.mark.parametrize(
    ("flags", "name", "value"),
    [
        (["--viva-no-history"], "viva_history", False),
        (["--viva-fail-fast"], "viva_fail_fast", True),
        (["--viva-output=a", "--viva-output=b"], "viva_outputs", ["a", "b"]),
        (["--viva-resume"], "viva_resume", ""),
        (["--viva-resume=x"], "viva_resume", "x"),
        (["--viva-runs=3"], "viva_runs", "3"),
    ],
)
def test_each_kind_of_option_is_taken_as_viva_takes_it(flags: list[str], name: str, value: object):
    assert vars(offered().parse(flags))[name] == value


def test_a_hint_names_pytests_flags():
    problem = UsageError("too slow", hint="raise --runs, or give -n AGENT")
    assert "--viva-runs" in str(in_pytest(problem))
    failure = VivaError("broken", hint="raise --runs")
    assert in_pytest(failure) is failure
