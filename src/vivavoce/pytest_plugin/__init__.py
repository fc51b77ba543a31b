"""The same engine under pytest: case files as items, the `viva` fixture, `@pytest.mark.viva(runs=…)`.

Loaded with every pytest run: nothing but pytest and the names of the options is imported here before something of
viva is used.
"""

import inspect
import os
import sys
from collections.abc import Generator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import WarningMessage

import pytest

if TYPE_CHECKING:
    from vivavoce.api.talking import Viva
    from vivavoce.pytest_plugin.project_runs import ProjectRuns

CASE_FILES = (".viva.yaml", ".viva.yml", ".viva.json", ".viva.jsonl")
RUNS = "viva_runs"
"""The property of a report that says how many runs passed."""
_RUNS: "pytest.StashKey[ProjectRuns]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    from vivavoce.pytest_plugin.options import add_options

    add_options(parser.getgroup("viva", "agent tests"))
    parser.addini("viva_agent", "the agent under test where neither the case nor a mark names one")
    parser.addini("viva_files", "globs of JSONL files to collect as agent tests", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "viva(runs=1, min_pass=None, agent=None): run the test so often, and how many runs must pass"
    )
    from vivavoce.pytest_plugin.options import given_to

    given_to(config)  # raises pytest.UsageError for a bad value, before anything is collected
    if hasattr(config, "workerinput"):
        from vivavoce.pytest_plugin.xdist import share_servers_of_run

        share_servers_of_run(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A hook of pytest-xdist, before it starts a worker."""
    from vivavoce.pytest_plugin.xdist import hold_servers_of_run

    hold_servers_of_run(node)


def pytest_collection_finish(session: pytest.Session) -> None:
    """The cases pytest selected are one run for each project."""
    if (project_runs := session.config.stash.get(_RUNS, None)) is not None:
        from vivavoce.errors import UsageError
        from vivavoce.pytest_plugin.case_files import CaseItem

        try:
            project_runs.select((item.case, item.path.parent) for item in session.items if isinstance(item, CaseItem))
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The runs end: reports are written, and the history knows them."""
    if (project_runs := session.config.stash.get(_RUNS, None)) is not None:
        for problem in project_runs.finish():
            print(f"\nviva: {problem}", file=sys.stderr)
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def pytest_unconfigure(config: pytest.Config) -> None:
    if (project_runs := config.stash.get(_RUNS, None)) is not None:
        project_runs.close()
    if config.pluginmanager.hasplugin("dsession"):
        from vivavoce.pytest_plugin.xdist import let_go_of_servers_of_run

        let_go_of_servers_of_run(config)


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> None:
    """Refuses case files that pytest would pass over in silence: links that lead nowhere, pipes."""
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name.lower().endswith(CASE_FILES) and not (entry.is_file() or entry.is_dir()):
                raise parent.CollectError(f"{entry.path}: this is no file that can be read")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not (file_path.name.lower().endswith(CASE_FILES) or _is_configured(file_path, parent)):
        return None
    from vivavoce.pytest_plugin.case_files import CaseFile

    kind: Any = CaseFile  # pytest leaves its `from_parent` untyped
    return kind.from_parent(parent, path=file_path, project_runs=_project_runs(parent.config))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Repeats a marked test, and ends its conversations on the event loop they began on."""
    if isinstance(item, pytest.Function) and _is_agent_test(item):
        from vivavoce.pytest_plugin.repeating import examined

        original: Any = item.obj
        item.obj = examined(item)
        try:
            yield
        finally:
            item.obj = original
    else:
        yield
    _complain_of_forgotten_awaits(item)


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs an async agent test that no other plugin took, on the event loop of its conversations."""
    # Plugins for async tests try first, or have made the function a plain one by now; pytest, giving up, tries last.
    if not (_is_agent_test(pyfuncitem) and inspect.iscoroutinefunction(pyfuncitem.obj)):
        return None
    from vivavoce.pytest_plugin.repeating import waited_for

    waited_for(pyfuncitem)
    return True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if _is_case(item.nodeid):
        from vivavoce.pytest_plugin.shown_by_pytest import clean_report

        clean_report(report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_warning_recorded(warning_message: WarningMessage, nodeid: str) -> None:
    if _is_case(nodeid):
        from vivavoce.pytest_plugin.shown_by_pytest import clean_warning

        clean_warning(warning_message)


def pytest_report_teststatus(report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
    """`PASSED (4/5 passed)` for a test that ran more than once."""
    if report.when != "call" or hasattr(report, "wasxfail"):
        return None
    runs = next((value for name, value in report.user_properties if name == RUNS), None)
    if runs is None or report.outcome == "skipped":
        return None
    return report.outcome, "." if report.passed else "F", f"{report.outcome.upper()} ({runs})"


@pytest.fixture
def viva(request: pytest.FixtureRequest) -> "Generator[Viva]":
    """A conversation with the agent under test: `reply = await viva.say("…")`, or `viva.sync.say("…")`."""
    conversation = _project_runs(request.config).conversation(request.path, request.node.get_closest_marker("viva"))
    yield conversation
    conversation.stage.close()


def _project_runs(config: pytest.Config) -> "ProjectRuns":
    """What all agent tests of this session share, made when the first of them is met."""
    if _RUNS not in config.stash:
        from vivavoce.pytest_plugin.project_runs import ProjectRuns

        config.stash[_RUNS] = ProjectRuns(config)
    return config.stash[_RUNS]


def _is_case(nodeid: str) -> bool:
    return nodeid.partition("::")[0].lower().endswith((*CASE_FILES, ".jsonl"))


def _is_agent_test(item: pytest.Function) -> bool:
    return "viva" in item.fixturenames or item.get_closest_marker("viva") is not None


def _is_configured(path: Path, parent: pytest.Collector) -> bool:
    """A `.jsonl` file that was named on the command line, or that `viva_files` names."""
    if path.suffix != ".jsonl":
        return False
    if parent.session.isinitpath(path):
        return True
    patterns: list[str] = parent.config.getini("viva_files")
    if not any(_matches(path, pattern, parent.config.rootpath) for pattern in patterns):
        return False
    from vivavoce.sources.reading.result_files import is_result_file
    from vivavoce.sources.tables.named_tables import is_table_of_a_neighbour

    return not is_result_file(path) and not is_table_of_a_neighbour(path)


def _matches(path: Path, pattern: str, root: Path) -> bool:
    """Like `python_files`: a pattern without a slash is about the name, one with a slash about the path below root."""
    if "/" not in pattern:
        return fnmatchcase(path.name, pattern)
    below = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
    return any(fnmatchcase(below, one) for one in (pattern, pattern.replace("**/", "")))


def _complain_of_forgotten_awaits(item: pytest.Item) -> None:
    checking: Any = sys.modules.get("vivavoce.api.checking")
    if checking is not None and (names := checking.forgotten()):
        pytest.fail(f"{', '.join(names)} was never awaited: nothing was judged", pytrace=False)
    conversation: Any = getattr(item, "funcargs", {}).get("viva")
    talking: Any = sys.modules.get("vivavoce.api.talking")
    # A project may have a fixture of its own with this name.
    if talking is not None and isinstance(conversation, talking.Viva) and (lines := conversation.stage.unsaid()):
        times = f", {lines} times" if lines > 1 else ""
        advice = "write: await viva.say(…), or viva.sync.say(…) in a test that is not async"
        pytest.fail(f"viva.say was never awaited{times}: the agent was not asked ({advice})", pytrace=False)
