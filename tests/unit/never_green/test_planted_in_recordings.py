"""A forbidden call on a tape of a package, in a result file and in an AG-UI recording, then bent: never green."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.agui_server import call, run, sse, text
from tests.fakes.bending import Bent, bend, every_bend
from tests.fakes.planting import ARGS, NAME, outcome_of

import vivavoce
from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model.verdict import Outcome
from vivavoce.net.http_client import HttpClient
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Surroundings, TargetSpec
from vivavoce.targets.ag_ui.replay import AgUiReplayTarget

Json = dict[str, Any]
RULES = f"""
connectors:
  model:
    type: scripted
    options:
      rules:
        - {{when: look, call: {{name: {NAME}, args: {{order: A-17}}}}}}
        - {{after_tool: "*", say: I only looked at it.}}
"""
TEST = f"""
agent: shop
turns:
  - user: please look at my order
    assert: {{tools: {{forbid: [{NAME}]}}}}
"""
TOOLS = """
def delete_order(order: str) -> str: return "deleted"
def look_up(order: str) -> str: return "found"
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose package called the forbidden tool once: on a tape, and in a result file."""
    root = tmp_path_factory.mktemp("shop")
    for name, content in {
        "viva.yaml": RULES,
        "look.viva.yaml": TEST,
        "assistants/shop/package.yao": '{"name": "Shop", "connector": "model"}',
        "assistants/shop/prompts.yml": "- {role: system, content: You are a shop.}",
        "assistants/shop/src/tools.py": TOOLS,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    report = examined(root, record=root / "tapes", outputs=root / "out.jsonl")
    assert report.summary.failed == 1, report.results[0].attempts[0].error
    assert report.results[0].attempts[0].transcript.turns[0].reply.calls[0].name == NAME
    return root


def examined(root: Path, **options: Any) -> Any:
    return vivavoce.run(root / "look.viva.yaml", config=root / "viva.yaml", **options)


def is_green(report: Any) -> bool:
    return report.passed


def lines_of(file: Path) -> list[Json]:
    return [json.loads(line) for line in file.read_text().splitlines()]


# ── tapes ────────────────────────────────────────────────────────────────────────────


def opened(line: Json) -> Json:
    """A line of a tape whose answer is JSON instead of a text, so that it is bent inside as well."""
    return (
        {**line, "chunks": [[at, {"JSON": json.loads(piece)}] for at, piece in line["chunks"]]}
        if "chunks" in line
        else line
    )


def closed(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            json.dumps(value["JSON"])
            if value.keys() == {"JSON"}
            else {key: closed(each) for key, each in value.items()}
        )
    return [closed(each) for each in value] if isinstance(value, list) else value


def still_tells(lines: Any) -> bool:
    """Whether an answer on the tape has the forbidden name: an edited tape that tells no call is another recording."""
    return isinstance(lines, list) and any(
        isinstance(line, dict) and NAME in json.dumps(line.get("chunks")) for line in lines
    )


@settings(max_examples=30)
@given(data=st.data(), times=st.sampled_from([1, 2]))
def test_a_bent_tape_is_never_green(shop: Path, data: st.DataObject, times: int):
    [tape] = (shop / "tapes").rglob("*.jsonl")
    bent_tape = shop / "bent" / tape.relative_to(shop / "tapes")
    lines = [opened(line) for line in lines_of(tape)]
    bent = data.draw(st.composite(lambda draw: bend(draw, deepcopy(lines), NAME, times))())
    if not still_tells(bent) or '"look_up"}' in json.dumps(bent):
        return
    bent_tape.parent.mkdir(parents=True, exist_ok=True)
    bent_tape.write_text("".join(f"{json.dumps(closed(line))}\n" for line in bent))
    try:
        report = examined(shop, replay=shop / "bent", replay_only=True)
    except VivaError:
        return
    assert not is_green(report), bent


DAMAGED: dict[str, Callable[[list[str]], list[str]]] = {
    "emptied": lambda lines: [],
    "cut": lambda lines: [*lines[:-1], lines[-1][:-20]],
    "of another case": lambda lines: [line.replace("look", "stare") for line in lines],
    "without its last line": lambda lines: lines[:-1],
    "with a line that is none": lambda lines: [*lines, "nonsense\n"],
    "of a newer version": lambda lines: [lines[0].replace('"v":1', '"v":99'), *lines[1:]],
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_tape_is_never_green(shop: Path, how: str):
    [tape] = (shop / "tapes").rglob("*.jsonl")
    damaged = shop / "damaged" / tape.relative_to(shop / "tapes")
    damaged.parent.mkdir(parents=True, exist_ok=True)
    lines = tape.read_text().splitlines(keepends=True)
    assert DAMAGED[how](lines) != lines
    damaged.write_text("".join(DAMAGED[how](lines)))
    with suppress(VivaError):
        [result] = examined(shop, replay=shop / "damaged", replay_only=True).results
        assert result.status == "error", result.attempts[0].error


# ── result files ─────────────────────────────────────────────────────────────────────


@cache
def bent_rows(shop: Path) -> list[Bent]:
    """Everything but the first line, which only describes the run, and a name that was exchanged for another."""
    bends = every_bend(lines_of(shop / "out.jsonl"), NAME)
    return [bent for bent in bends if bent.path[:1] != (0,) and not bent.how.startswith("told as another")]


@settings(max_examples=80)
@given(number=st.integers(0, 10**6))
def test_a_bent_result_file_is_never_green_when_it_is_judged_again(shop: Path, number: int):
    bends = bent_rows(shop)
    bent = bends[number % len(bends)]
    rows = bent.value if isinstance(bent.value, list) else [bent.value]
    assert not is_judged_green(shop, rows), (bent.how, bent.path)


def is_judged_green(shop: Path, rows: Any) -> bool:
    (shop / "bent.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    try:
        report = vivavoce.rejudge(shop / "bent.jsonl", cases=shop / "look.viva.yaml", config=shop / "viva.yaml")
    except VivaError:
        return False
    return report.passed


@pytest.mark.parametrize("how", ["renamed", "dropped", "taken out of the turn", "a turn more"])
def test_a_row_whose_calls_or_turns_somebody_took_out_is_never_green(shop: Path, how: str):
    rows = lines_of(shop / "out.jsonl")
    result = rows[1]
    match how:
        case "renamed":
            result["turns"][0]["calls"] = result["turns"][0].pop("tool_calls")
        case "dropped":
            del result["turns"]
        case "a turn more":
            harmless = json.loads(json.dumps(result["turns"][0]).replace(NAME, "look_up"))
            result["turns"].insert(0, harmless)
        case _:
            result["turns"][0]["tool_calls"] = []
    assert not is_judged_green(shop, rows)


# ── AG-UI recordings ─────────────────────────────────────────────────────────────────

STREAM = sse(*run(*call("c1", NAME, json.dumps(ARGS), "deleted"), *text("ok")))
META: Json = {
    "case_id": NAME,
    "status": 200,
    "headers": [["content-type", "text/event-stream"]],
    "read_error": None,
    "struck": False,
    "chunks_ms_len": [[1.0, 20], [2.0, len(STREAM) - 20]],
}


async def replayed(folder: Path, meta: Any, stream: bytes) -> AgentReply:
    (folder / "c").mkdir(exist_ok=True)
    (folder / "c" / "01.meta.json").write_text(json.dumps(meta))
    (folder / "c" / "01.sse").write_bytes(stream)
    (folder / "c" / "01.request.json").write_text('{"messages": [{"role": "user", "content": "go"}]}')
    spec = TargetSpec(id="r", kind="agui-replay", config={"agui-replay": f"{folder}?timing=none"})
    around = Surroundings(project=Project(root=folder), http=HttpClient(), secrets=Secrets())
    session = await AgUiReplayTarget(spec, around).open(CallContext(session_id="s", case_id="c"))
    return await session.send(Line(content="go"), Transcript())


async def test_the_call_of_a_recording_is_seen(tmp_path: Path):
    assert await outcome_of(await replayed(tmp_path, META, STREAM)) is Outcome.FAILED


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data(), times=st.sampled_from([1, 2]))
async def test_a_bent_recording_is_never_green(tmp_path: Path, data: st.DataObject, times: int):
    meta = data.draw(st.composite(lambda draw: bend(draw, META, NAME, times))())
    cut = data.draw(st.sampled_from([0, 0, 0, 1, 40, len(STREAM)]))
    try:
        reply = await replayed(tmp_path, meta, STREAM[: len(STREAM) - cut])
    except CallFailed:
        return
    assert reply.status is not ExchangeStatus.SUCCESS or await outcome_of(reply) is not Outcome.PASSED, meta


@pytest.mark.parametrize("lost", ["01.sse", "01.request.json"])
async def test_a_recording_that_lost_a_file_says_so(tmp_path: Path, lost: str):
    await replayed(tmp_path, META, STREAM)
    spec = TargetSpec(id="r", kind="agui-replay", config={"agui-replay": f"{tmp_path}?timing=none"})
    around = Surroundings(project=Project(root=tmp_path), http=HttpClient(), secrets=Secrets())
    (tmp_path / "c" / lost).unlink()
    session = await AgUiReplayTarget(spec, around).open(CallContext(session_id="s", case_id="c"))
    with pytest.raises(CallFailed, match=f"is damaged: 01.meta.json: {lost}: No such file"):
        await session.send(Line(content="go"), Transcript())
