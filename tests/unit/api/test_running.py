"""vivavoce.run and arun: the engine, its cases and its report, from Python."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import msgspec
import pytest

import vivavoce
from vivavoce import Case, CaseResult, Report, Status, UsageError
from vivavoce.app.history_keeping import open_history
from vivavoce.model.case import Origin, ScriptedTurn
from vivavoce.model.events import AttemptFinished, AttemptStarted, CaseFinished, RunFinished, RunStarted, TurnFinished
from vivavoce.project.project import Project


def contains(text: str) -> dict[str, Any]:
    return {"type": "contains", "value": text}


async def echo(messages: list[dict[str, Any]], context: dict[str, Any]) -> str:
    return f"echo: {messages[-1]['content']}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outputs(report: Report) -> list[Any]:
    return [result.attempts[0].output for result in report.results]


# ── what can be given ──


async def test_a_live_function_answers_cases_written_as_dicts():
    report = await vivavoce.arun(
        [{"input": "hello", "assert": contains("hello")}, {"id": "B", "input": "x", "assert": contains("y")}],
        agent=echo,
    )
    assert [(r.case.id, r.status) for r in report.results] == [("T001", Status.PASSED), ("B", Status.FAILED)]
    assert (report.summary.passed, report.summary.failed, report.passed) == (1, 1, False)
    assert [r.case.id for r in report.failures] == ["B"]
    assert report.info.agent_id == f"python:{__name__}:echo"


async def test_a_path_a_glob_a_message_a_case_and_a_dict_run_together(folder: Path):
    (folder / "one.jsonl").write_text('{"id": "A", "input": "from a file"}\n')
    (folder / "more").mkdir()
    (folder / "more" / "two.jsonl").write_text('{"id": "A", "input": "from a glob"}\n')
    case = Case(id="C", origin=Origin("mine"), turns=(ScriptedTurn(content="from an object"),))
    report = await vivavoce.arun(
        [folder / "one.jsonl", "more/*.jsonl", "as a message", case, {"input": "from a dict"}], agent=lambda text: text
    )
    assert outputs(report) == ["from a file", "from a glob", "as a message", "from an object", "from a dict"]


async def test_a_path_may_be_a_glob_or_name_one_case(folder: Path):
    (folder / "a.jsonl").write_text('{"id": "A", "input": "a"}\n{"id": "B", "input": "b"}\n')
    assert outputs(await vivavoce.arun(Path("*.jsonl"), agent=echo)) == ["echo: a", "echo: b"]
    assert outputs(await vivavoce.arun(Path("a.jsonl::B"), agent=echo)) == ["echo: b"]


async def test_without_cases_the_projects_own_tests_run(folder: Path):
    (folder / "viva.yaml").write_text("tests: t\nagent: echo\nagents: {echo: {python: agent.py:reply}}\n")
    (folder / "agent.py").write_text("def reply(text):\n    return text\n")
    (folder / "t").mkdir()
    (folder / "t" / "a.jsonl").write_text('{"id": "A", "input": "hello"}\n')
    assert outputs(await vivavoce.arun()) == ["hello"]


async def test_the_configuration_may_lie_elsewhere(folder: Path):
    project = folder / "project"
    project.mkdir()
    (project / "viva.yaml").write_text("agent: echo\nagents: {echo: {python: agent.py:reply}}\nrun: {runs: 2}\n")
    (project / "agent.py").write_text("def reply(text):\n    return text\n")
    report = await vivavoce.arun("a message", config=project / "viva.yaml")
    assert len(report.results[0].attempts) == 2


class Counter:
    """Made anew for each conversation."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, text: str) -> str:
        self.lines += 1
        return f"{self.lines}: {text}"


async def test_a_class_is_made_anew_for_each_conversation_and_an_object_is_not():
    turns = {"turns": [{"input": "a"}, {"input": "b"}], "on_missing_input": "end"}
    by_class = await vivavoce.arun([turns, turns | {"id": "X"}], agent=Counter)
    assert [r.decisive.transcript.last.reply.text for r in by_class.results] == ["2: b", "2: b"]  # type: ignore[union-attr]
    by_object = await vivavoce.arun([turns, turns | {"id": "X"}], agent=Counter())
    assert [r.decisive.transcript.last.reply.text for r in by_object.results] == ["2: b", "4: b"]  # type: ignore[union-attr]


async def test_generators_are_asked(folder: Path):
    (folder / "scripts").mkdir()
    (folder / "scripts" / "make.py").write_text(
        "def make(ctx):\n    return [{'id': f'G{n}', 'input': f'case {n}'} for n in range(2)]\n"
    )
    report = await vivavoce.arun("scripts:make", agent=lambda text: text)
    assert outputs(report) == ["case 0", "case 1"]


# ── how it runs ──


async def test_runs_and_min_pass_give_stability():
    answers = iter(["good", "bad", "good"])
    report = await vivavoce.arun(
        {"input": "x", "min_pass": 2, "assert": contains("good")}, agent=lambda text: next(answers), runs=3
    )
    result = report.results[0]
    assert result.stability is not None
    assert (result.status, result.stability.passed, result.stability.runs) == (Status.PASSED, 2, 3)


async def test_parallel_conversations_overlap_and_results_come_in_the_order_of_the_cases():
    arrived = asyncio.Semaphore(0)

    async def last_one_first(text: str) -> str:
        # The first can only answer once the others have: alone it would wait for ever.
        if text == "0":
            for _ in range(3):
                await arrived.acquire()
        else:
            arrived.release()
        return text

    report = await vivavoce.arun([{"input": str(n)} for n in range(4)], agent=last_one_first, parallel=4, timeout=60)
    assert outputs(report) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("timeout", ["50ms", 0.05])
async def test_a_case_that_takes_too_long_is_a_result(timeout: str | float):
    async def slow(text: str) -> str:
        await asyncio.sleep(30)
        return text

    report = await vivavoce.arun("hello there", agent=slow, timeout=timeout)
    assert report.results[0].status is Status.TIMEOUT
    assert report.results[0].decisive.error == "timeout after 50ms"


async def test_fail_fast_stops_and_is_not_a_pass():
    cases = [{"input": "x", "assert": contains("y")}, {"input": "x"}]
    report = await vivavoce.arun(cases, agent=lambda text: text, fail_fast=True)
    assert [result.status.value for result in report.results] == ["failed", "not_run"]
    assert (report.summary.not_run, report.passed) == (1, False)


async def test_it_stops_after_so_many_failures_and_when_the_money_is_spent():
    def agent(text: str) -> dict[str, Any]:
        return {"content": text, "usage": {"input_tokens": 60, "output_tokens": 0}}

    failing = [{"input": "x", "assert": contains("y")} for _ in range(4)]
    assert (await vivavoce.arun(failing, agent=agent, maxfail=2)).summary.not_run == 2
    spent = await vivavoce.arun([{"input": "x"}] * 4, agent=agent, budget="100tok")
    assert (spent.summary.not_run, spent.passed) == (2, False)


async def test_runs_that_decide_nothing_more_are_left_out():
    case = {"input": "x", "assert": contains("x"), "runs": 5, "min_pass": 2}
    (result,) = (await vivavoce.arun(case, agent=lambda text: text, early_stop=True)).results
    assert len(result.attempts) == 2


async def test_conversations_end_after_so_many_turns():
    Path("scripts").mkdir()
    Path("scripts/user.py").write_text("def user(request):\n    return {'input': f'{request[\"turn_number\"]}'}\n")
    case = {"type": "multi_turn", "input": "x", "simulator": {"use": "scripts:user"}}
    (result,) = (await vivavoce.arun(case, agent=lambda text: f"{text}?", max_turns=3)).results
    assert (len(result.decisive.transcript.turns), result.status) == (3, Status.FAILED)


async def test_a_slow_judge_breaks_its_check():
    Path("scripts").mkdir()
    Path("scripts/judge.py").write_text("import time\ndef judge(output, input):\n    time.sleep(60)\n")
    case = {"input": "x", "assert": {"type": "script", "use": "scripts:judge"}}
    (result,) = (await vivavoce.arun(case, agent=echo, judge_timeout=0.3)).results
    assert (result.status, "timed out after 300ms" in str(result.decisive.error)) == (Status.ERROR, True)


async def test_shards_are_parts_of_the_whole():
    cases = [{"id": f"case-{n}", "input": "x"} for n in range(20)]
    parts = [await vivavoce.arun(cases, agent=echo, shard=f"{n}/3") for n in (1, 2, 3)]
    assert sorted(result.case.id for part in parts for result in part.results) == sorted(c["id"] for c in cases)


async def test_a_context_is_a_file_or_what_stands_in_it(folder: Path):
    seen: list[str] = []

    def agent(messages: list[Any], context: dict[str, Any]) -> str:
        seen.append(str(context))
        return "ok"

    context = {"authorized": {"user_id": "u-9"}, "metadata": {"plan": "gold"}}
    (folder / "ctx.json").write_bytes(msgspec.json.encode(context))
    await vivavoce.arun("hello there", agent=agent, context=context)
    await vivavoce.arun("hello there", agent=agent, context="ctx.json")
    assert ["u-9" in one and "gold" in one for one in seen] == [True, True]
    case = {"input": "hello", "options": {"metadata": {"plan": "free"}}}
    await vivavoce.arun(case, agent=agent, context=context)
    assert "free" in seen[-1]
    assert "gold" not in seen[-1]


async def test_tags_pattern_and_sample_select():
    cases = [{"id": f"case-{n}", "input": "x", "tags": ["even"] if n % 2 == 0 else []} for n in range(6)]

    async def ids(**selection: Any) -> list[str]:
        report = await vivavoce.arun(cases, agent=lambda text: text, **selection)
        return [result.case.id for result in report.results]

    assert await ids(tags=["even"]) == ["case-0", "case-2", "case-4"]
    assert await ids(tags="even", pattern="[0-2]$") == ["case-0", "case-2"]
    assert len(await ids(sample=2, seed=7)) == 2
    assert await ids(sample=2, seed=7) == await ids(sample=2, seed=7)


async def test_the_identity_reaches_the_agent():
    seen: list[dict[str, Any]] = []

    def agent(messages: list[Any], context: dict[str, Any]) -> str:
        seen.append(context)
        return "ok"

    report = await vivavoce.arun("hello there", agent=agent, user="u-1", team="t-1", locale="de-de")
    assert (report.info.identity.user_id, report.info.identity.team_id) == ("u-1", "t-1")
    assert all(value in str(seen[0]) for value in ("u-1", "t-1", "de-de"))


async def test_a_simulator_speaks_and_missing_input_is_decided(folder: Path):
    (folder / "scripts").mkdir()
    (folder / "scripts" / "user.py").write_text(
        "def user(request):\n    return {'input': 'blue', 'goal_achieved': True}\n"
    )
    case = {"type": "multi_turn", "input": "hi"}

    def asks(text: str) -> str:
        return "Which colour?" if text == "hi" else f"So {text}."

    simulated = await vivavoce.arun(case, agent=asks, simulator="scripts:user")
    assert simulated.results[0].decisive.output == "So blue."
    failed = await vivavoce.arun(case, agent=asks, on_missing_input="fail")
    assert failed.results[0].status is Status.FAILED
    assert (await vivavoce.arun(case, agent=asks)).results[0].status is Status.SKIPPED


# ── what comes out ──


async def test_reports_are_written_and_none_unless_asked(folder: Path):
    (folder / "cases.jsonl").write_text('{"id": "A", "input": "hello"}\n')
    await vivavoce.arun("cases.jsonl", agent=echo, history=False)
    assert [path.name for path in folder.glob("[!.]*.*")] == ["cases.jsonl"]
    await vivavoce.arun("cases.jsonl", agent=echo, outputs=["o/r.md", Path("o/r.xml"), "o/r.jsonl"])
    assert sorted(path.name for path in (folder / "o").iterdir()) == ["r.jsonl", "r.md", "r.xml"]


async def test_cases_of_files_are_kept_in_the_history_and_those_of_a_program_are_not(folder: Path):
    (folder / "cases.jsonl").write_text('{"id": "A", "input": "hello"}\n')
    await vivavoce.arun([{"input": "hello"}, "a message"], agent=echo)
    assert not (folder / ".viva").exists()
    report = await vivavoce.arun("cases.jsonl", agent=echo)
    (kept,) = open_history(Project(root=folder)).runs(5)
    assert kept.info.run_id == report.info.run_id


async def test_hooks_around_the_run_are_called(folder: Path):
    (folder / "scripts").mkdir()
    (folder / "scripts" / "around.py").write_text(
        "def before():\n    return {'WORD': 'from before'}\n"
        "def after(given):\n    open('after.txt', 'w').write(str(given))\n"
    )
    report = await vivavoce.arun({"input": "${WORD}"}, agent=echo, before="around.before", after="around.after")
    assert outputs(report) == ["echo: from before"]
    assert (folder / "after.txt").exists()


async def test_an_unfinished_run_is_gone_on_with(folder: Path):
    (folder / "cases.jsonl").write_text('{"id": "A", "input": "fail"}\n{"id": "B", "input": "b"}\n')
    asked: list[str] = []

    def agent(text: str) -> str:
        asked.append(text)
        if text == "fail":
            raise ValueError("boom")
        return text

    first = await vivavoce.arun("cases.jsonl", agent=agent, outputs="out.jsonl", fail_fast=True)
    assert first.summary.not_run == 1
    second = await vivavoce.arun("cases.jsonl", agent=agent, outputs="out.jsonl", resume="out.jsonl")
    assert (asked, second.summary.not_run) == (["fail", "b"], 0)
    assert [result.case.id for result in second.results] == ["A", "B"]


async def test_variables_of_the_environment_are_options_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VIVA_RUNS", "2")
    assert len((await vivavoce.arun("a message", agent=echo)).results[0].attempts) == 2
    assert len((await vivavoce.arun("a message", agent=echo, runs=1)).results[0].attempts) == 1
    monkeypatch.setenv("VIVA_RUNS", "many")
    with pytest.raises(UsageError, match="VIVA_RUNS: 'many' is not a whole number"):
        await vivavoce.arun("a message", agent=echo)


def test_the_signature_is_that_of_the_declared_options():
    parameters = list(inspect.signature(vivavoce.run).parameters.values())
    assert [one.name for one in parameters][:2] == ["cases", "agent"]
    assert {one.name: one.default for one in parameters}["parallel"] == 1
    assert inspect.signature(vivavoce.arun) == inspect.signature(vivavoce.run)


async def test_every_event_is_told_as_it_happens():
    events: list[Any] = []
    await vivavoce.arun("hello there", agent=echo, on_event=events.append)
    assert [type(event) for event in events] == [
        RunStarted,
        AttemptStarted,
        TurnFinished,
        AttemptFinished,
        CaseFinished,
        RunFinished,
    ]


async def test_a_big_run_need_not_keep_its_results():
    seen: list[CaseResult] = []

    def on_event(event: Any) -> None:
        if isinstance(event, CaseFinished):
            seen.append(event.result)

    report = await vivavoce.arun("hello there", agent=echo, keep_results=False, on_event=on_event)
    assert (report.summary.passed, len(seen)) == (1, 1)
    with pytest.raises(UsageError, match="not kept"):
        _ = report.results


async def test_what_the_agent_prints_goes_to_its_result(capsys: pytest.CaptureFixture[str]):
    def talkative(text: str) -> str:
        print("thinking aloud")
        return text

    report = await vivavoce.arun("hello there", agent=talkative)
    assert "thinking aloud" in report.results[0].decisive.transcript.turns[0].reply.logs
    assert capsys.readouterr().out == ""


async def test_a_secret_of_the_environment_is_masked(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_KEY", "s3cr3t-value")
    report = await vivavoce.arun({"input": "key ${ENV.SHOP_KEY}"}, agent=lambda text: text)
    assert outputs(report) == ["key ***"]


async def test_the_env_file_of_the_project_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SET_ALREADY", "from outside")
    monkeypatch.delenv("ONLY_IN_FILE", raising=False)
    (folder / ".env").write_text("SET_ALREADY=from file\nONLY_IN_FILE=here\n")
    report = await vivavoce.arun({"input": "${ENV.SET_ALREADY} ${ENV.ONLY_IN_FILE}"}, agent=lambda text: len(text))
    monkeypatch.delenv("ONLY_IN_FILE")
    assert outputs(report) == [len("from outside here")]


# ── what is wrong is told before anything runs ──


@pytest.mark.parametrize(
    ("cases", "options", "words"),
    [
        ({"input": "x", "assrt": []}, {}, "<cases>:1: unknown field 'assrt'.*did you mean 'assert'"),
        ([{"id": "A", "input": "x"}, {"id": "A", "input": "y"}], {}, "<cases>:2: duplicate id 'A'"),
        ([], {}, "no cases were given .leave cases out"),
        ([42], {}, "not a case: 42"),
        ("nowhere/at/all.jsonl", {}, "no such file"),
        ("tests/", {}, "no such file: tests/"),
        (Path("tests"), {}, "no such file: tests"),
        ("-", {}, "no standard input"),
        ({"input": "x"}, {"agent": "python:nowhere:f"}, "no module 'nowhere'"),
        ({"input": "x"}, {"agent": 42}, "cannot be called"),
        ({"input": "x"}, {"timeout": "soon"}, "timeout: bad duration 'soon'"),
        ({"input": "x"}, {"timeout": 0}, "longer than zero"),
        ({"input": "x"}, {"judge_timeout": float("nan")}, "judge_timeout: bad duration nan"),
        ({"input": "x"}, {"retries": -1}, "retries must be at least 0"),
        ({"input": "x"}, {"maxfail": 0}, "maxfail must be at least 1"),
        ({"input": "x"}, {"budget": "much"}, "bad budget 'much'"),
        ({"input": "x"}, {"shard": "4/3"}, "bad shard '4/3'"),
        ({"input": "x"}, {"context": "nowhere.json"}, "nowhere.json"),
        ({"input": "x"}, {"parallel": 0}, "parallel must be at least 1"),
        ({"input": "x"}, {"runs": -1}, "runs must be at least 1"),
        ({"input": "x"}, {"pattern": "("}, "pattern: bad regex"),
        ({"input": "x"}, {"tags": ["none"]}, "the only case found is not selected"),
        ({"input": "x"}, {"outputs": "report.docx"}, "no report format for report.docx"),
        ({"input": "x"}, {"config": "nowhere.yaml"}, "no such configuration file"),
    ],
)
async def test_a_mistake_is_a_usage_error(cases: Any, options: dict[str, Any], words: str):
    called: list[str] = []

    def agent(text: str) -> str:
        called.append(text)
        return text

    with pytest.raises(UsageError, match=words):
        await vivavoce.arun(cases, **{"agent": agent, **options})
    assert called == []


# ── run ──


def test_run_waits_for_the_report():
    report = vivavoce.run({"input": "hello"}, agent=echo)
    assert isinstance(report, Report)
    assert report.passed


async def test_run_inside_a_loop_tells_of_arun():
    with pytest.raises(UsageError, match=r"await vivavoce\.arun"):
        vivavoce.run("hello there", agent=echo)


async def test_a_report_is_shown_in_one_line():
    report = await vivavoce.arun(
        [{"input": "hello", "assert": contains("hello")}, {"input": "x", "assert": contains("y")}], agent=echo
    )
    assert repr(report) == f"<Report of python:{__name__}:echo: FAILED, 1 passed, 1 failed>"


def test_a_wrong_keyword_is_told_of_the_function_that_was_called():
    wrong: dict[str, Any] = {"bad_keyword": 1}
    with pytest.raises(TypeError, match=r"^run\(\) got an unexpected keyword argument 'bad_keyword'"):
        vivavoce.run("x y", **wrong)


async def test_an_unknown_agent_is_told_of_the_argument_not_of_the_flag():
    with pytest.raises(UsageError, match=r"^agent: unknown agent 'nobody'"):
        await vivavoce.arun("x y", agent="nobody")


@pytest.mark.parametrize("given", ["tests", "tests/refund", "*.ndjson", "~"])
async def test_a_path_that_names_nothing_is_never_sent_as_a_message(given: str):
    with pytest.raises(UsageError, match=r"no such file|nothing matches"):
        await vivavoce.arun(given, agent=echo)


async def test_a_report_and_a_result_are_printed_in_a_few_words():
    report = await vivavoce.arun(
        [{"id": "a", "input": "x y"}, {"id": "b", "input": "x y", "assert": {"type": "contains", "value": "zzz"}}],
        agent=lambda text: str(text),
    )
    assert str(report.results[0]) == "a: passed"
    assert str(report).splitlines()[1:] == ["  b: failed: output does not contain 'zzz'"]
    assert len(str(report)) < 300


async def test_hints_speak_of_keywords_and_not_of_flags():
    with pytest.raises(UsageError) as problem:
        await vivavoce.arun("tests", agent=lambda text: str(text))
    assert "--" not in str(problem.value)
    with pytest.raises(UsageError, match=r"keywords: bad expression .*pattern= takes a regular expression"):
        await vivavoce.arun({"input": "x y"}, agent=lambda text: str(text), keywords="a and")
