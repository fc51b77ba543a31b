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
from vivavoce.model.json_value import JsonObject, JsonValue, is_number, is_object
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import kept, quote

FILE_PREFIX = "file://"
_NODE_HINT = "install Node.js, or write the check as a Python script"
# The code is tried as one expression first, then as the body of a function. What it prints goes to stderr: stdout
# has only the answer, behind a word that the code does not know.
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
load().then(check => {
  if (typeof check !== 'function') throw new TypeError('the file exports no function' + (name ? ' ' + name : ''));
  return check(output, context);
}).then(
  answer => ({answer: answer === undefined ? null : answer}),
  error => ({error: String(error && error.stack || error)}),
).then(said => process.stdout.write('\\n' + sign + JSON.stringify(said) + '\\n', () => process.exit(0)));
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
        folder = _folder_of(evidence)
        request = {**self._code(folder), "sign": sign, "output": evidence.output, "context": self._context(evidence)}
        try:
            async with asyncio.timeout(helpers.judge_timeout_s):
                done = await run_command(
                    [node, "-e", _RUN],
                    cwd=folder,
                    env=_environment(),
                    stdin=msgspec.json.encode(request),
                )
        except TimeoutError:
            return broken(f"JavaScript timed out after {format_duration(helpers.judge_timeout_s)}")
        except (OSError, TooMuchOutput) as error:
            return broken(f"JavaScript could not be run: {error}")
        answers = [line for line in done.stdout.split(b"\n") if line.startswith(sign.encode())]
        if not answers:
            return broken(f"JavaScript ended without an answer ({done.how}): {quote(done.last_words)}")
        said: JsonObject = msgspec.json.decode(answers[-1][len(sign) :])
        if "error" in said:
            return broken(f"JavaScript raised {said['error'].strip()}")
        return self._read(said["answer"], evidence.output)

    def _code(self, folder: Path) -> JsonObject:
        if not self.value.startswith(FILE_PREFIX):
            return {"code": self.value}
        path, _, name = self.value.removeprefix(FILE_PREFIX).partition(":")
        return {"file": str(folder / path), "name": name}

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
            return broken(
                f"JavaScript returned {quote(answer)}: return true, false, a number or {{pass, score, reason}}"
            )
        seen = reason or f"JavaScript returned {quote(answer)}"
        found = passed(seen) if verdict else failed(seen, actual=kept(output))
        return structs.replace(found, score=None if score is None else float(score))


def _folder_of(evidence: Evidence) -> Path:
    """The case file's folder; the working folder for a case that stands in no file."""
    folder = Path(evidence.case.origin.path).absolute().parent
    return folder if folder.is_dir() else Path.cwd()


def _environment() -> dict[str, str]:
    """What a program needs to start, and none of the keys that lie in the environment."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR", "NODE_PATH") if name in os.environ}
