"""A reporter that is an agent: what it is sent, and what of its answer is written."""

import io
import json
from typing import Any

import pytest
from tests.fakes import results
from tests.fakes.evidence import FakeJudge

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.reporters.json_report import write_json
from vivavoce.reporters.reporter_agent import ask_reporter, written_by

REPORT = results.report_of([results.plain("T001"), results.wrong_argument()])


async def asked(reply: str | AgentReply | Exception, fmt: Any = "html") -> tuple[str, FakeJudge]:
    agent = FakeJudge(reply)
    return await ask_reporter("agents:report.slack", REPORT, fmt, verbose=True, agents=agent), agent


async def test_it_is_sent_the_same_report_that_the_json_file_holds():
    _, agent = await asked("fine")
    ((ref, messages, options, _),) = agent.asked
    request = json.loads(messages[0].text)
    file = io.StringIO()
    write_json(REPORT, file)
    assert ref == "agents:report.slack"
    assert request["report"] == json.loads(file.getvalue())
    assert request["format"] == "html"
    assert request["options"] == {"verbose": True, "include_outputs": True}
    assert options.metadata["test_mode"] == "reporter"
    assert options.skip == {"history": True}


@pytest.mark.parametrize(
    ("fmt", "reply", "written"),
    [
        ("html", "<h1>x</h1>", "<h1>x</h1>"),
        ("html", "```html\n<h1>x</h1>\n```", "<h1>x</h1>"),
        ("html", "<think>let me see</think>\n```HTML\n<p>\n```\n", "<p>"),
        ("markdown", "```markdown\n# x\n```", "# x"),
        ("markdown", "```\ncode\n```", "```\ncode\n```"),
        ("html", "```json\n{}\n```", "```json\n{}\n```"),
        ("text", "```\nplain\n```", "plain"),
        ("markdown", "```md\n# x\n```\ntext\n```md\ny\n```", "```md\n# x\n```\ntext\n```md\ny\n```"),
    ],
)
async def test_only_thoughts_and_a_fence_around_it_all_are_taken_off(fmt: Any, reply: str, written: str):
    text, _ = await asked(reply, fmt)
    assert text == written


def test_data_is_written_as_json():
    assert json.loads(written_by(AgentReply(text="x", data={"a": [1]}), "json")) == {"a": [1]}
    assert written_by(AgentReply(data="a text"), "text") == "a text"


@pytest.mark.parametrize(
    "reply", ["", "  \n", "<think>only thoughts</think>", AgentReply(text="x", error="over quota")]
)
async def test_nothing_worth_writing_is_a_failure(reply: str | AgentReply):
    with pytest.raises(CallFailed):
        await asked(reply)
