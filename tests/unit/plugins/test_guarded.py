from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import structs

from vivavoce.errors import BrokenEnvironment, CallFailed, VivaError
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model.verdict import failed
from vivavoce.plugins.catalog import TARGETS
from vivavoce.plugins.declarations import TargetKind
from vivavoce.plugins.guarded import (
    GuardedConnector,
    GuardedExecutor,
    GuardedTarget,
    guarded_connector,
    guarded_target,
)
from vivavoce.plugins.registry import PlugIn
from vivavoce.protocols import AgentCard, CallContext, Job, ModelReply, ModelRequest

PLUGIN = PlugIn(group="viva.targets", name="echo", source="extras.py")
NAMED = r"plug-in 'echo' \(viva.targets\) of extras.py does not work: "


class Agent:
    """Target and session at once. Returns what it is given, or raises it."""

    card: Any = None

    def __init__(self, reply: Any = None, *, opened: Any = None, closing: BaseException | None = None) -> None:
        self.reply = reply
        self.opened = opened
        self.closing = closing

    async def open(self, context: CallContext) -> Any:
        return self if self.opened is None else _returned(self.opened)

    async def send(self, line: Line, transcript: Transcript) -> Any:
        return _returned(self.reply)

    def so_far(self) -> AgentReply:
        return AgentReply(text="half")

    async def close(self) -> None:
        if self.closing is not None:
            raise self.closing


def _returned(value: Any) -> Any:
    if isinstance(value, BaseException):
        raise value
    return value


async def say_hi(agent: Agent) -> AgentReply:
    session = await GuardedTarget(agent, PLUGIN).open(CallContext(session_id="1"))
    reply = await session.send(Line(content="hi"), Transcript())
    await session.close()
    return reply


async def test_a_reply_and_what_was_seen_so_far_come_through():
    assert (await say_hi(Agent(AgentReply(text="hello")))).text == "hello"
    session = await GuardedTarget(Agent(), PLUGIN).open(CallContext(session_id="1"))
    assert session.so_far().text == "half"


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        (Agent(ValueError("boom")), "ValueError: boom"),
        (Agent(SystemExit(0)), "SystemExit: 0"),
        (Agent("hello"), "it returned an object of class str instead of an AgentReply"),
        (Agent(None), "it returned None instead of an AgentReply"),
        (Agent(AgentReply(text=3)), "the text of its AgentReply is an object of class int"),  # type: ignore[arg-type]
        (Agent(opened=KeyError("x")), "KeyError: 'x'"),
        (Agent(opened="session"), "open returned an object of class str without send and close"),
        (Agent(AgentReply(), closing=OSError("gone")), "OSError: gone"),
    ],
)
async def test_a_target_that_does_not_work_names_its_plugin(agent: Agent, why: str):
    with pytest.raises(CallFailed, match=f"{NAMED}{why}") as failed:
        await say_hi(agent)
    assert failed.value.fault == "test"


async def test_what_a_target_says_itself_passes():
    with pytest.raises(CallFailed, match=r"^the line is dead$"):
        await say_hi(Agent(CallFailed("the line is dead", fault="target")))


class Model:
    def __init__(self, reply: Any) -> None:
        self.reply = reply

    async def complete(self, request: ModelRequest) -> Any:
        return _returned(self.reply)


@pytest.mark.parametrize(
    ("reply", "why"),
    [(ValueError("boom"), "ValueError: boom"), ("hello", "complete returned an object of class str")],
)
async def test_a_connector_that_does_not_work_names_its_plugin(reply: Any, why: str):
    with pytest.raises(CallFailed, match=f"{NAMED}{why}"):
        await GuardedConnector(Model(reply), PLUGIN).complete(ModelRequest(messages=()))


async def test_a_working_connector_and_a_built_in_stay_as_they_are():
    assert (await GuardedConnector(Model(ModelReply(text="x")), PLUGIN).complete(ModelRequest(messages=()))).text == "x"
    built_in = Model(None)
    assert guarded_connector(built_in, "openai") is built_in


class Carded:
    card = AgentCard(id="odd", kind="odd")


class Opened(Carded):
    async def open(self, context: CallContext) -> None: ...


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (Model(None), "Model has no `card`"),
        (Carded(), "Carded has no method open"),
        (Opened(), "Opened has no method close"),
    ],
)
def test_an_object_that_is_no_target_is_refused_before_it_is_used(target: Any, why: str):
    TARGETS.register("odd", TargetKind(name="odd", target=Carded), "odd.py")
    with pytest.raises(TypeError, match=why):
        guarded_target(target, "odd")
    TARGETS.forget_file("odd.py")


JOBS = [Job(case=Case(id=f"c{index}"), index=index) for index in range(2)]
DONE = Attempt(status=Status.PASSED)


async def work(job: Job) -> Attempt:
    return DONE


class Stop(Exception):
    """How a run ends itself."""


class Executor:
    def __init__(self, what: str) -> None:
        self.what = what

    async def run(self, jobs: Iterator[Job], work: Any, done: Any) -> None:
        if self.what == "nothing":
            return
        for job in jobs:
            if self.what == "leaves one out" and job.index == 0:
                continue
            done(job, 3 if self.what == "not an attempt" else await work(job))
            if self.what == "twice":
                done(job, DONE)
            if self.what == "raises":
                raise ValueError("boom")


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("raises", "ValueError: boom"),
        ("twice", "ValueError: done was called twice for 'c0'"),
        ("not an attempt", "TypeError: done takes a job and its attempt"),
        ("nothing", "ValueError: it ended before it took all jobs"),
        ("leaves one out", "ValueError: done was not called for 'c0'"),
    ],
)
async def test_an_executor_that_does_not_work_ends_the_run_and_is_named(what: str, why: str):
    with pytest.raises(VivaError, match=f"{NAMED}{why}") as ended:
        await GuardedExecutor(Executor(what), PLUGIN).run(iter(JOBS), work, lambda job, attempt: None)
    assert ended.value.exit_code == 3


async def made_anew(job: Job) -> Attempt:
    return Attempt(status=Status.PASSED, run=job.run)


class Mixing:
    """An executor that reports other attempts than those of the jobs."""

    def __init__(self, mixed: Callable[[list[Attempt]], list[Any]]) -> None:
        self.mixed = mixed

    async def run(self, jobs: Iterator[Job], work: Any, done: Any) -> None:
        all_jobs = list(jobs)
        for job, attempt in zip(all_jobs, self.mixed([await work(job) for job in all_jobs]), strict=True):
            done(job, attempt)


MIXED: dict[str, tuple[Callable[[list[Attempt]], list[Any]], str]] = {
    "swapped": (lambda made: made[::-1], "done was called for 'c0' with the attempt of 'c1'"),
    "one for all": (lambda made: [made[0], made[0]], "done was called for 'c1' with the attempt of 'c0'"),
    "no status": (lambda made: [structs.replace(one, status=None) for one in made], "status"),
    "a word for a status": (lambda made: [structs.replace(one, status="passed") for one in made], "not of this job"),
    "another run": (lambda made: [structs.replace(one, run=7) for one in made], "not of this job"),
    "bent inside": (lambda made: [structs.replace(one, verdicts=[{"outcome": "great"}]) for one in made], "great"),
}


@pytest.mark.parametrize("mixed", MIXED)
async def test_the_result_of_another_case_is_never_taken_for_that_of_a_case(mixed: str):
    mix, why = MIXED[mixed]
    with pytest.raises(VivaError, match=why):
        await GuardedExecutor(Mixing(mix), PLUGIN).run(iter(JOBS), made_anew, lambda job, attempt: None)


async def test_attempts_of_other_processes_are_taken():
    seen: list[Attempt] = []
    shown: Any = object()
    copied = Mixing(lambda made: [structs.replace(one, verdicts=(failed("no", actual=shown),)) for one in made])
    await GuardedExecutor(copied, PLUGIN).run(iter(JOBS), made_anew, lambda job, attempt: seen.append(attempt))
    assert len(seen) == 2


async def test_an_executor_that_works_reports_every_job():
    seen: list[str] = []
    await GuardedExecutor(Executor("works"), PLUGIN).run(
        iter(JOBS), work, lambda job, attempt: seen.append(job.case.id)
    )
    assert seen == ["c0", "c1"]


@pytest.mark.parametrize("raised", [Stop("enough"), BrokenEnvironment("no network")])
async def test_a_run_that_stops_is_no_fault_of_the_executor(raised: Exception):
    def stopping(job: Job, attempt: Attempt) -> None:
        raise raised

    with pytest.raises(type(raised)) as stopped:
        await GuardedExecutor(Executor("works"), PLUGIN).run(iter(JOBS), work, stopping)
    assert stopped.value is raised
