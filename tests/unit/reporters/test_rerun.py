"""The command to copy."""

import shlex

import pytest
from msgspec import structs
from tests.fakes import results

from vivavoce.model.case import Origin
from vivavoce.reporters.rerun import repeat_failed, rerun_command


@pytest.mark.parametrize(
    ("ran", "again"),
    [
        ("viva test -i tests", "viva test -i tests/pay.jsonl::pay-1"),
        ("viva test -n shop.agent -i x --runs 5", "viva test -i tests/pay.jsonl::pay-1 -n shop.agent --runs 5"),
        ("viva test --name=a --connector c", "viva test -i tests/pay.jsonl::pay-1 -n a -c c"),
        (
            "viva test --config ci/viva.yaml -j 8 --ctx=who.json --user ann -t blue --strict-protocol -o out.html",
            "viva test -i tests/pay.jsonl::pay-1 --config ci/viva.yaml --ctx who.json -u ann -t blue --strict-protocol",
        ),
        (
            "viva test --timeout 3s --max-turns 2 --on-missing-input end --before setup.main -x --locale de",
            "viva test -i tests/pay.jsonl::pay-1 --timeout 3s --max-turns 2 --on-missing-input end --before setup.main"
            " --locale de",
        ),
        ("viva test -i 'unclosed", "viva test -i tests/pay.jsonl::pay-1"),
        ("viva test -n", "viva test -i tests/pay.jsonl::pay-1"),
        # From Python there was no command.
        ("", "viva test -i tests/pay.jsonl::pay-1"),
    ],
)
def test_it_runs_the_case_as_it_was_run(ran: str, again: str):
    info = structs.replace(results.run_info(1), command=ran)
    assert rerun_command(results.wrong_argument().case, info) == again


def test_a_case_that_was_judged_again_runs_against_the_agent_of_its_recording():
    info = structs.replace(results.run_info(1), command="viva rejudge last", agent_id="flaky")
    case = results.wrong_argument().case
    assert rerun_command(case, info) == "viva test -i tests/pay.jsonl::pay-1 -n flaky"
    several = structs.replace(info, agent_id="flaky, steady")
    assert rerun_command(case, several) == "viva test -i tests/pay.jsonl::pay-1"


def test_a_shell_reads_it_as_it_was_meant():
    case = structs.replace(results.plain("a b $HOME 'x'").case, origin=Origin("my tests/a.jsonl", 1))
    command = rerun_command(case, None)
    assert command is not None
    assert shlex.split(command)[3] == "my tests/a.jsonl::a b $HOME 'x'"


def test_a_case_from_no_file_has_none():
    assert rerun_command(structs.replace(results.plain().case, origin=Origin()), None) is None


def test_a_script_test_runs_again_by_its_name():
    case = structs.replace(results.plain().case, id="shop.setup::test_pay", agent="script_tests:shop.setup")
    assert rerun_command(case, None) == "viva test -i scripts.shop.setup --run 'shop.setup::test_pay$'"
    info = structs.replace(results.run_info(1), command="viva test --config ci.yaml")
    again = "viva test -i scripts.shop.setup --run 'shop.setup::test_pay$' --config ci.yaml"
    assert rerun_command(case, info) == again


@pytest.mark.parametrize("path", ["agents:gen", "scripts:gen", "<message>", "<stdin>"])
def test_a_case_that_lies_in_no_file_cannot_be_asked_for(path: str):
    assert rerun_command(structs.replace(results.plain().case, origin=Origin(path, 1)), None) is None


@pytest.mark.parametrize(
    ("ran", "again"),
    [
        ("viva test", "viva test --lf"),
        ("viva test 'my tests/' -n shop", "viva test 'my tests/' -n shop --lf"),
        ("viva test --lf", "viva test --lf"),
        ("viva test -i - -n shop", None),
        ("viva test --resume out.jsonl", None),
        ("viva test -n 'openai:***'", None),
        ("viva demo", None),
        ("", None),
    ],
)
def test_what_failed_can_be_run_again(ran: str, again: str | None):
    assert repeat_failed(ran) == again
