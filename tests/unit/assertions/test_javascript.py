"""JavaScript checks run by the real Node.js. Plain verdicts are in the table."""

from pathlib import Path

import pytest
from tests.fakes.evidence import answered, call, check, evidence, helpers, turn

from vivavoce.assertions.javascript import JudgedByJavaScript
from vivavoce.model.case import Case, Origin
from vivavoce.model.verdict import Outcome


async def test_the_code_sees_the_output_the_variables_and_the_tool_calls():
    seen = evidence(turn("Paid 5 EUR.", call("pay", {"amount": 5})))
    code = "context.toolCalls[0].args.amount === context.vars.price && output.startsWith('Paid')"
    assert (await check("javascript", seen, value=code, vars={"price": 5})).passed


async def test_structured_output_is_an_object():
    assert (await check("javascript", answered({"items": [1, 2]}), value="output.items.length === 2")).passed


async def test_a_promise_is_awaited():
    assert (await check("javascript", answered("x"), value="Promise.resolve(true)")).passed


async def test_what_the_code_prints_is_not_taken_for_its_answer():
    code = "console.log(true); process.stdout.write('{\"answer\": true}'); return false"
    verdict = await check("javascript", answered("x"), value=code)
    assert verdict.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("process.exit(0)", "without an answer (exit code 0)"),
        ("output.no.such", "TypeError"),
        ("return (", "SyntaxError"),
        ("undefined", "returned undefined: return true"),
        ("null", "returned null: return true"),
        ("0 / 0", "returned NaN: return true"),
        ("({pass: true, score: 0 / 0})", "return true, false"),
        ("const a = {}; a.a = a; return a", "circular"),
        ("({pass: 'yes'})", "return true, false"),
        ("({pass: true, score: 'high'})", "return true, false"),
    ],
)
async def test_code_that_does_not_answer_is_a_broken_check(code: str, words: str):
    verdict = await check("javascript", answered("x"), value=code)
    assert verdict.outcome is Outcome.BROKEN
    assert words in verdict.reason


async def test_a_reason_and_a_score_are_kept():
    verdict = await check("javascript", answered("x"), value="({pass: false, score: 0.25, reason: 'too short'})")
    assert (verdict.reason, verdict.score) == ("too short", 0.25)


@pytest.mark.parametrize(("name", "source"), [("a.js", "module.exports ="), ("a.mjs", "export default")])
async def test_a_file_beside_the_case_file_exports_the_check(tmp_path: Path, name: str, source: str):
    (tmp_path / name).write_text(f"{source} (output, context) => output === context.test.id")
    case = Case(id="T1", origin=Origin(str(tmp_path / "cases.jsonl"), 1))
    assert (await check("javascript", answered("T1", case=case), value=f"file://{name}")).passed


async def test_a_function_of_a_file_is_named_after_a_colon(tmp_path: Path):
    (tmp_path / "checks.js").write_text("module.exports = {polite: output => /please/.test(output)}")
    case = Case(id="T1", origin=Origin(str(tmp_path / "cases.jsonl"), 1))
    assert (await check("javascript", answered("please", case=case), value="file://checks.js:polite")).passed
    missing = await check("javascript", answered("please", case=case), value="file://checks.js:rude")
    assert "exports no function rude" in missing.reason


async def test_endless_code_is_stopped():
    verdict = await JudgedByJavaScript(value="while (true);").check(answered("x"), helpers(judge_timeout_s=0.5))
    assert (verdict.outcome, verdict.reason) == (
        Outcome.BROKEN,
        "JavaScript timed out after 500ms (a check in JavaScript may take 10s, or `judge_timeout` if that is shorter)",
    )


async def test_without_node_the_check_is_broken_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    verdict = await check("javascript", answered("x"), value="true")
    assert verdict.outcome is Outcome.BROKEN
    assert "install Node.js" in verdict.reason


async def test_keys_of_the_environment_are_not_handed_to_the_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert (await check("javascript", answered("x"), value="process.env.OPENAI_API_KEY === undefined")).passed


async def test_an_error_names_the_line_of_the_code_and_nothing_of_node():
    verdict = await check("javascript", answered("x"), value="const a = 1;\nreturn output.no.such")
    assert verdict.reason == (
        "JavaScript raised TypeError: Cannot read properties of undefined (reading 'such') "
        "(line 2: return output.no.such)"
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "module.exports = output => {\n  return output.no.such;\n}",
            "JavaScript raised TypeError: Cannot read properties of undefined (reading 'such') "
            "(checks.js line 2: return output.no.such;)",
        ),
        (
            "module.exports = output => {\n  return 1 +;\n}",
            "JavaScript raised SyntaxError: Unexpected token ';' (checks.js line 2: return 1 +;)",
        ),
        (
            "require('./nope')",
            "JavaScript raised Error: Cannot find module './nope' (checks.js line 1: require('./nope'))",
        ),
        ("module.exports = output => { throw 'up' }", "JavaScript raised up"),
    ],
)
async def test_an_error_in_a_file_names_its_line(tmp_path: Path, source: str, reason: str):
    (tmp_path / "checks.js").write_text(source)
    case = Case(id="T1", origin=Origin(str(tmp_path / "cases.jsonl"), 1))
    verdict = await check("javascript", answered("x", case=case), value="file://checks.js")
    assert verdict.reason == reason


async def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    case = Case(id="T1", origin=Origin(str(tmp_path / "cases.jsonl"), 1))
    verdict = await check("javascript", answered("x", case=case), value="file://nope.js:polite")
    assert (verdict.outcome, verdict.reason) == (Outcome.BROKEN, "file://nope.js is not there")


async def test_code_that_says_no_is_shown_with_the_output():
    verdict = await check("javascript", answered("long"), value="output.length < 3")
    assert (verdict.reason, verdict.actual) == ("JavaScript returned false: output.length < 3", "long")


async def test_code_may_take_ten_seconds_however_long_a_judge_may_take(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("vivavoce.assertions.javascript.LIMIT_S", 0.3)
    verdict = await JudgedByJavaScript(value="while (true);").check(answered("x"), helpers(judge_timeout_s=120))
    assert verdict.reason.startswith("JavaScript timed out after 300ms")
