"""Python that makes prompts, tests or variables: run only when the user says `--run-code`."""

import secrets
import subprocess
import sys
from pathlib import Path

import msgspec

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.templates import TemplateProblem

SCRIPTS = (".js", ".cjs", ".mjs", ".ts", ".py")
"""The suffixes of scripts that promptfoo runs. viva runs those in Python alone."""
_LIMIT_S = 60
_HINT = "--run-code runs it"
# The output of the script goes to stderr. stdout has only the answer, after a random word unknown to the script.
_RUN = """
import importlib.util, json, os, sys
asked = json.load(sys.stdin)
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.path.insert(0, os.path.dirname(asked["file"]))
spec = importlib.util.spec_from_file_location("imported", asked["file"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
answer = getattr(module, asked["name"])(*asked["args"])
answers.write(asked["sign"] + json.dumps(answer))
answers.flush()
"""


def answer_of(script: str, usual_name: str, *args: JsonValue, folder: Path, allowed: bool) -> JsonValue:
    """Runs a function of `file.py:name` in its own process, and returns its answer.

    Raises TemplateProblem when that is not allowed or does not work.
    """
    path, _, name = script.partition(":")
    if not allowed or Path(path).suffix != ".py":
        hint = f" ({_HINT})" if Path(path).suffix == ".py" else ""
        raise TemplateProblem(f"made by the script {script}{hint}")
    sign = secrets.token_hex(16)
    file = (folder / path).resolve()
    asked = {"file": str(file), "name": name or usual_name, "args": list(args), "sign": sign}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _RUN],
            input=msgspec.json.encode(asked),
            capture_output=True,
            cwd=folder,
            timeout=_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TemplateProblem(f"the script {script} did not end within {_LIMIT_S} s") from None
    if not done.stdout.startswith(sign.encode()):
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2] or "it gave no answer"
        raise TemplateProblem(f"the script {script} failed: {said}")
    return msgspec.json.decode(done.stdout[len(sign) :])
