"""JavaScript as the judge, run by Node.js."""

import asyncio
import os
import secrets
import shutil
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct, structs

from vivavoce.containment.processes import TooMuchOutput, run_command
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_number, is_object
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import SHORT, kept, quote, shorten_middle

FILE_PREFIX = "file://"
_ANSWERS = "return true, false, a number or {pass, score, reason}"
_NODE_HINT = "install Node.js, or write the check as a Python script"
LIMIT_S = 10.0
"""Seconds for one check, unless `judge_timeout` is shorter."""
# The code is tried as one expression first, then as the body of a function. What it prints goes to stderr: stdout
# has only the answer, behind a word that the code does not know. Of an error's stack only the line of the user's own
# code is kept; a function made from text begins with two lines of its own.
_RUN = """
const {code, file, name, sign, output, context} = JSON.parse(require('fs').readFileSync(0, 'utf8'));
for (const way of ['log', 'info', 'debug']) console[way] = console.error;
const Code = (async () => {}).constructor;
async function load() {
  if (file) {
    const found = await import(require('url').pathToFileURL(file));
    const exported = found.default ?? found;
    return name ? exported[name] ?? found[name] : exported;
  }
  try { return new Code('output', 'context', 'return (' + code + '\\n)'); }
  catch (error) { return new Code('output', 'context', code); }
}
function line(stack) {
  const start = file ? stack.indexOf(file + ':') + file.length + 1 : stack.indexOf('<anonymous>:') + 12;
  const found = start > (file ? file.length : 11) ? parseInt(stack.slice(start)) - (file ? 0 : 2) : NaN;
  return found > 0 ? found : null;
}
function problem(error) {
  if (!(error instanceof Error)) return {error: String(error), line: null};
  return {error: `${error.name}: ${error.message.split('\\nRequire stack:')[0]}`, line: line(String(error.stack))};
}
const writable = value => typeof value === 'boolean' || Number.isFinite(value) || typeof value === 'string';
function said(answer) {
  if (answer === null || !writable(answer) && typeof answer !== 'object') return {no_answer: String(answer)};
  const named = (_, value) => typeof value === 'number' && !writable(value) ? String(value) : value;
  return {answer: JSON.parse(JSON.stringify(answer, named))};
}
load().then(check => {
  if (typeof check !== 'function') throw new TypeError('the file exports no function' + (name ? ' ' + name : ''));
  return check(output, context);
}).then(said).catch(problem)
  .then(told => process.stdout.write('\\n' + sign + JSON.stringify(told) + '\\n', () => process.exit(0)));
"""


class JudgedByJavaScript(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Code says true, a score or {pass, score, reason} of (output, context): an expression, a body or a file."""

    value: Annotated[str, Meta(min_length=1)]
    """The code, or `file://checks.js` (`file://checks.js:name`) beside the case file."""
    threshold: Annotated[float, Meta(ge=0, le=1)] | None = None
    """The lowest score that still passes; without it any score above 0 does."""
    vars: JsonObject = {}
    """What the code finds as `context.vars`."""
    judges: ClassVar[Sight] = "both"
    doubted_by: ClassVar[Sight] = "both"
    judges_output: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        node = shutil.which("node")
        if node is None:
            return broken(f"this check needs Node.js, and there is no `node` here ({_NODE_HINT})")
        sign = secrets.token_hex(16)
        folder = folder_of(evidence.case)
        if (missing := missing_file(self.value, folder)) is not None:
            return broken(missing)
        limit_s = min(LIMIT_S, helpers.judge_timeout_s)
        request = {**self._code(folder), "sign": sign, "output": evidence.output, "context": self._context(evidence)}
        try:
            async with asyncio.timeout(limit_s):
                done = await run_command(
                    [node, "-e", _RUN],
                    cwd=folder,
                    env=_environment(),
                    stdin=msgspec.json.encode(request),
                )
        except TimeoutError:
            longest = (
                f"a check in JavaScript may take {format_duration(LIMIT_S)}, or `judge_timeout` if that is shorter"
            )
            return broken(f"JavaScript timed out after {format_duration(limit_s)} ({longest})")
        except (OSError, TooMuchOutput) as error:
            return broken(f"JavaScript could not be run: {error}")
        answers = [line for line in done.stdout.split(b"\n") if line.startswith(sign.encode())]
        if not answers:
            return broken(f"JavaScript ended without an answer ({done.how}): {quote(done.last_words)}")
        said: JsonObject = msgspec.json.decode(answers[-1][len(sign) :])
        if "error" in said:
            return broken(f"JavaScript raised {said['error'].strip()}{self._where(said['line'], folder)}")
        if "no_answer" in said:
            return broken(f"JavaScript returned {said['no_answer']}: {_ANSWERS}")
        return self._read(said["answer"], evidence.output)

    def _code(self, folder: Path) -> JsonObject:
        if not self.value.startswith(FILE_PREFIX):
            return {"code": self.value}
        path, name = _file_and_name(self.value)
        return {"file": str((folder / path).resolve()), "name": name}

    def _where(self, line: int | None, folder: Path) -> str:
        """Returns ` (checks.js line 3: …)` for the line of the user's own code that raised, "" when unknown."""
        if line is None:
            return ""
        path, text = "", self.value
        if self.value.startswith(FILE_PREFIX):
            path = f"{_file_and_name(self.value)[0]} "
            text = (folder / path.strip()).read_text(encoding="utf-8", errors="replace")
        lines = text.splitlines()
        shown = f": {shorten_middle(lines[line - 1].strip(), SHORT)}" if line <= len(lines) else ""
        return f" ({path}line {line}{shown})"

    def _context(self, evidence: Evidence) -> JsonObject:
        case = evidence.case
        return {
            "vars": self.vars or case.metadata.get("vars") or {},
            "prompt": evidence.input,
            "test": {"id": case.id, "description": case.name, "metadata": case.metadata},
            "toolCalls": [msgspec.to_builtins(call) for _, call in evidence.calls],
        }

    def _read(self, answer: JsonValue, output: JsonValue) -> Verdict:
        verdict, score, reason = answer, None, ""
        if is_object(answer):
            verdict, score, reason = answer.get("pass"), answer.get("score"), str(answer.get("reason") or "")
            verdict = score if verdict is None else verdict
        if is_number(verdict):
            score = verdict
            verdict = score >= self.threshold if self.threshold is not None else score > 0
        elif self.threshold is not None and is_number(score):
            verdict = verdict is True and score >= self.threshold
        if not isinstance(verdict, bool) or not (score is None or is_number(score)):
            return broken(f"JavaScript returned {quote(answer)}: {_ANSWERS}")
        seen = reason or f"JavaScript returned {quote(answer)}: {shorten_middle(self.value, SHORT)}"
        found = passed(seen) if verdict else failed(seen, actual=kept(output))
        return structs.replace(found, score=None if score is None else float(score))


def missing_file(value: str, folder: Path) -> str | None:
    """Returns what is wrong when `file://checks.js` names a file that does not exist in the case's folder."""
    if not value.startswith(FILE_PREFIX):
        return None
    path, _ = _file_and_name(value)
    return None if (folder / path).is_file() else f"{FILE_PREFIX}{path} is not there"


def _file_and_name(value: str) -> tuple[str, str]:
    path, _, name = value.removeprefix(FILE_PREFIX).partition(":")
    return path, name


def folder_of(case: Case) -> Path:
    """Returns the case file's folder, or the working folder for a case that stands in no file."""
    folder = Path(case.origin.path).absolute().parent
    return folder if folder.is_dir() else Path.cwd()


def _environment() -> dict[str, str]:
    """What a program needs to start, and none of the keys that lie in the environment."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR", "NODE_PATH") if name in os.environ}
