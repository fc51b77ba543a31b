"""promptfoo's `python` assertions → functions of one file beside the cases. The import never runs them."""

import ast
import os
import textwrap
from pathlib import Path

from vivavoce.imports.case_files import id_of
from vivavoce.imports.foreign_files import FILE_PREFIX, inside
from vivavoce.imports.found import CodeFile, ImportOptions
from vivavoce.model.json_value import JsonObject, JsonValue

_USUAL_FUNCTION = "get_assert"
_HEAD = '''"""Python checks of a promptfoo configuration. They run when the cases run: read them before that."""

import importlib.util
import json
from pathlib import Path


def _function(path, name):
    """The function of a file that the configuration names; the path starts at this file."""
    file = Path(__file__).parent / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def _context(prompt, ctx, config):
    """What promptfoo passes to a check, as far as viva knows it."""
    metadata = ctx["case"]["metadata"]
    test = {"description": ctx["case"]["name"], "metadata": metadata}
    return {"vars": metadata.get("vars", {}), "prompt": prompt, "test": test, "config": config}


def _verdict(answer, threshold):
    """promptfoo's answers (true, a score, or an object with pass, score and reason) as viva reads them."""
    fields = answer if isinstance(answer, dict) else {"score": answer}
    score = fields.get("score")
    passed = fields.get("pass", fields.get("pass_", score))
    if not isinstance(passed, (bool, int, float)):
        return answer
    score = passed if score is None else score
    if threshold is not None:
        passed = passed is not False and score >= threshold
    reason = fields.get("reason") or f"the check returned {answer!r}"
    return {"pass": passed > 0, "score": float(score), "message": reason}
'''


class CodeProblem(Exception):
    """Why a check cannot be written as a function."""


class PythonChecks:
    """Collects the checks of one configuration. The same check is written once."""

    def __init__(self, source: Path, options: ImportOptions) -> None:
        self._options = options
        self._path = options.folder / f"{options.name or id_of(source.stem)}_checks.py"
        self._names: dict[tuple[str, ...], str] = {}
        self._functions: list[str] = []

    def add(self, code: str, threshold: float | None, config: JsonValue, folder: Path) -> JsonObject:
        """The script assertion that runs the code. Raises CodeProblem for code that is not Python."""
        same = (code, repr(threshold), repr(config))
        if same not in self._names:
            name = f"check_{len(self._names) + 1}"
            call = self._in_file(code, folder) if code.startswith(FILE_PREFIX) else f"_{name}"
            own = "" if code.startswith(FILE_PREFIX) else _function(f"_{name}", code)
            verdict = f"    return _verdict({call}(output, _context(input, ctx, {config!r})), {threshold!r})\n"
            self._functions.append(f"\n\n{own}def {name}(output, input, expected, ctx):\n{verdict}")
            self._names[same] = name
        ref = Path(os.path.relpath(self._path, self._options.root or Path.cwd())).as_posix()
        return {"type": "script", "use": f"{ref}:{self._names[same]}"}

    def file(self) -> CodeFile | None:
        """The file that the cases name; None when no check is Python."""
        text = _HEAD + "".join(self._functions)
        return CodeFile(path=self._path, text=text, checks=len(self._functions)) if self._functions else None

    def _in_file(self, code: str, folder: Path) -> str:
        path, _, name = code.removeprefix(FILE_PREFIX).partition(":")
        if Path(path).suffix != ".py":
            raise CodeProblem(f"{path} is not a Python file")
        return f"_function({self._options.named(inside(folder, path))!r}, {name or _USUAL_FUNCTION!r})"


def _function(name: str, code: str) -> str:
    """The code as a function of its own: one line is an expression, several are a body with its own `return`."""
    text = textwrap.dedent(code).strip("\n").rstrip()
    body = f"return {text.strip()}" if "\n" not in text else text
    function = f"def {name}(output, context):\n{textwrap.indent(body, '    ')}\n"
    try:
        tree = ast.parse(function)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CodeProblem(f"it is not Python: {error}") from None
    if len(tree.body) != 1:
        raise CodeProblem("it is not the body of a function")
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
    if any(node.lineno != node.end_lineno for node in texts):
        # Indenting the function would put blanks into the text.
        raise CodeProblem("a text in it has several lines; put the check into a file")
    return f"{function}\n\n"
