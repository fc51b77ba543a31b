"""promptfoo's configuration → cases: every test with every prompt and every combination of its variables."""

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import finite_number
from vivavoce.imports.foreign_files import (
    FILE_PREFIX,
    inside,
    is_pattern,
    list_in,
    matching,
    read_json,
    read_text,
    read_yaml,
)
from vivavoce.imports.found import Checks, CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.promptfoo.assertions import take_assertion, take_set
from vivavoce.imports.promptfoo.conversations import Conversations, first_messages, has_conversation
from vivavoce.imports.promptfoo.filling import filled
from vivavoce.imports.promptfoo.foreign_assertion import AssertionContext
from vivavoce.imports.promptfoo.prompts import Prompt, chat_in, prompts_in
from vivavoce.imports.promptfoo.python_checks import PythonChecks
from vivavoce.imports.promptfoo.running import SCRIPTS, answer_of
from vivavoce.imports.promptfoo.sets import AssertSet, weigh
from vivavoce.imports.promptfoo.test_lists import FoundTest, tests_in
from vivavoce.model.case import Origin
from vivavoce.model.json_value import (
    JsonArray,
    JsonObject,
    JsonValue,
    is_array,
    is_object,
    object_in,
    text_of,
)
from vivavoce.notation.templates import TemplateProblem
from vivavoce.notation.yaml_reader import YamlDocument

_MOST_COMBINATIONS = 10_000
_NOT_TAKEN = {"redteam": "red-team plug-ins", "extensions": "hooks"}
_OF_A_CONFIGURATION = frozenset(
    {
        *("description", "tags", "providers", "targets", "prompts", "tests", "scenarios", "defaultTest", "outputPath"),
        *("sharing", "nunjucksFilters", "env", "derivedMetrics", "metadata", "writeLatestResults", "evaluateOptions"),
        *("commandLineOptions", "runtimeOptions", "assertionTemplates", "tracing", "assert", "$schema", *_NOT_TAKEN),
    }
)
_OF_A_TEST = frozenset(
    {
        *("description", "vars", "assert", "own_assert", "options", "provider", "providers", "prompts", "threshold"),
        *("metadata", "assertScoringFunction", "providerOutput", "disableDefaultAsserts"),
    }
)


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused | Note | CodeFile]:
    """The tests of a configuration."""
    document = read_json(path) if path.suffix.lower() == ".json" else read_yaml(path)
    config = document.value
    if not is_object(config) or not ({"prompts", "tests", "scenarios", "providers"} & config.keys()):
        raise UsageError("no prompts, providers or tests in it: this is not a configuration of promptfoo", at=str(path))
    for key, what in _NOT_TAKEN.items():
        if config.get(key):
            yield Refused(what=f"{key}: {what} are not taken over", at=Origin(str(path), document.line_of((key,))))
    for key in config.keys() - _OF_A_CONFIGURATION:
        yield Note(what=f"{path}:{document.line_of((key,))}: the field {key} is unknown, and was not read")
    if "assert" in config:
        line = document.line_of(("assert",))
        yield Note(
            what=f"{path}:{line}: assert: promptfoo reads no checks here; move them into defaultTest for every test"
        )
    python = PythonChecks(path, options)
    yield from _Configuration(config, document, path, options, python).cases()
    if (code := python.file()) is not None:
        yield code


class _Configuration:
    def __init__(
        self, config: JsonObject, document: YamlDocument, path: Path, options: ImportOptions, python: PythonChecks
    ) -> None:
        self._config = config
        self._document = document
        self._path = path
        self._options = options
        self._python = python
        self._code = options.run_code
        default: JsonValue = config.get("defaultTest") or {}
        if isinstance(default, str):
            default = read_yaml(inside(path.parent, default.removeprefix(FILE_PREFIX))).value
        if not is_object(default):
            raise UsageError("defaultTest must be an object", at=Origin(str(path), document.line_of(("defaultTest",))))
        self._default: JsonObject = default
        repeat: JsonValue = object_in(config, "evaluateOptions").get("repeat")
        self._repeat = repeat if isinstance(repeat, int) else None

    def cases(self) -> Iterator[FoundCase | Refused]:
        prompts: list[Prompt] = []
        for prompt in prompts_in(self._config.get("prompts"), self._document, self._path, run_code=self._code):
            if isinstance(prompt, Refused):
                yield prompt
            else:
                prompts.append(prompt)
        conversations = Conversations()
        for found in self._tests():
            if isinstance(found, Refused):
                yield found
                continue
            key = self._conversation_of(found)
            for prompt in prompts:
                label = prompt.label if len(prompts) > 1 else ""
                made = self._with_prompt(found, prompt, label)
                if key is None or not has_conversation(prompt.template):
                    yield from made
                    continue
                for test in made:
                    conversations.add(label, key, test)
        yield from conversations.cases()

    def _conversation_of(self, found: FoundTest) -> str | None:
        """The id of the conversation that a test belongs to; None for a test that belongs to none."""
        test = _merged(self._default, found.test)
        if object_in(test, "options").get("disableConversationVar"):
            return None
        own: JsonValue = object_in(test, "metadata").get("conversationId")
        return found.scenario if own is None else text_of(own)

    def _tests(self) -> Iterator[FoundTest | Refused]:
        own = list_in(self._config, "tests")
        yield from tests_in(own, ("tests",), self._document, self._path, run_code=self._code)
        for number, scenario in enumerate(list_in(self._config, "scenarios")):
            where = ("scenarios", number, "tests")
            if not is_object(scenario):
                at = Origin(str(self._path), self._document.line_of(("scenarios", number)))
                yield Refused(what="a scenario must be an object", at=at)
                continue
            tests = list_in(scenario, "tests") or [{}]
            for found in tests_in(tests, where, self._document, self._path, run_code=self._code):
                for setting in list_in(scenario, "config") or [{}]:
                    if isinstance(found, Refused):
                        yield found
                    else:
                        yield FoundTest(_merged(setting, found.test), found.at, f"scenario {number + 1}")

    def _with_prompt(self, found: FoundTest, prompt: Prompt, label: str) -> Iterator[FoundCase | Refused]:
        test = _merged(self._default, found.test)
        given = object_in(test, "vars")
        try:
            variables = self._variables(given)
        except TemplateProblem as problem:
            yield Refused(what=f"a variable: {problem}", at=found.at, checks=self._check_count(test))
            return
        spread = [name for name, value in given.items() if _stands_for_several(value)]
        if object_in(test, "options").get("disableVarExpansion"):
            spread = []
        if math.prod(len(variables[name]) for name in spread) > _MOST_COMBINATIONS:
            what = f"more than {_MOST_COMBINATIONS} combinations of its variables"
            yield Refused(what=what, at=found.at, checks=self._check_count(test))
            return
        for number, chosen in enumerate(product(*(variables[name] for name in spread))):
            known = {**variables, **dict(zip(spread, chosen, strict=True))}
            try:
                yield self._case(test, found.at, prompt, label, known, number)
            except TemplateProblem as problem:
                what = f"a template that only promptfoo can fill in: {problem}"
                yield Refused(what=what, at=found.at, checks=self._check_count(test))

    def _variables(self, given: JsonObject) -> JsonObject:
        known: JsonObject = {}
        for name, value in given.items():
            known[name] = self._variable(name, value, known)
        return known

    def _variable(self, name: str, value: JsonValue, known: JsonObject) -> JsonValue:
        """The value of a variable: its own, or the content of the file that it names."""
        if not isinstance(value, str) or not value.startswith(FILE_PREFIX):
            return value
        written = value.removeprefix(FILE_PREFIX)
        folder = self._path.parent
        several = _stands_for_several(value)
        files = matching(folder, written) if several else [inside(folder, written)]
        try:
            texts = [self._content(name, file, known) for file in files if not several or file.is_file()]
        except UsageError as problem:  # only the tests that use this variable fail
            raise TemplateProblem(f"{value} {problem.what}") from None
        if not texts:
            raise TemplateProblem(f"nothing matches {value}")
        return texts if several else texts[0]

    def _content(self, name: str, file: Path, known: JsonObject) -> JsonValue:
        """The value that a file gives to a variable."""
        if file.suffix in (".json", ".yaml", ".yml"):
            return (read_json(file) if file.suffix == ".json" else read_yaml(file)).value
        if file.suffix in SCRIPTS:
            written = str(file.relative_to(self._path.parent))
            made = answer_of(written, "get_var", name, "", known, folder=self._path.parent, allowed=self._code)
            if not is_object(made) or "output" not in made:
                raise TemplateProblem(f"the script {written} returned no `output`: {text_of(made)}")
            return made["output"]
        return read_text(file).rstrip("\n")

    def _case(
        self, test: JsonObject, at: Origin, prompt: Prompt, label: str, variables: JsonObject, number: int
    ) -> FoundCase:
        checks = Checks()
        sets: list[AssertSet] = []
        checks.leave_out_unknown(test, _OF_A_TEST, objects=frozenset({"options"}))
        if test.get("assertScoringFunction"):
            checks.leave_out("assertScoringFunction: code computes its score; write the check as a script")
        for entry in self._assertions(test, variables):
            if not is_object(entry):
                checks.leave_out(f"an assertion must be an object: {text_of(entry)}")
                continue
            around = AssertionContext(
                context=variables.get("context"),
                folder=self._path.parent,
                options=self._options,
                python=self._python,
            )
            if entry.get("type") == "assert-set":
                sets.append(take_set(entry, around, checks))
            else:
                take_assertion(entry, around, checks)
        settings = object_in(test, "options")
        said = self._said(prompt, variables)
        name = text_of(test.get("description") or "")
        case: JsonObject = {}
        if name or label:
            suffix = f"-{number + 1}" if number else ""
            case["id"] = f"{name}{suffix}{f'@{label}' if label else ''}"
        if name:
            case["name"] = name
        if is_array(said):
            if said[-1].get("role") == "assistant":
                raise TemplateProblem("the prompt ends with an assistant message")
            case["messages"] = said
        else:
            prefix, suffix = (text_of(settings.get(key) or "") for key in ("prefix", "suffix"))
            case["input"] = f"{prefix}{said}{suffix}"
        case |= self._more(test, settings, variables, checks)
        threshold = finite_number(test.get("threshold"))
        share = threshold if threshold is not None and 0 < threshold <= 1 else None
        min_score, differs = weigh(checks.assertions, sets, share)
        if min_score is not None:
            case["min_score"] = min_score
        if differs:
            checks.take(differs=differs)
        case["assert"] = checks.assertions
        return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))

    def _said(self, prompt: Prompt, variables: JsonObject) -> JsonValue:
        if has_conversation(prompt.template):
            return first_messages(prompt.template, variables)
        if not prompt.script:
            return chat_in(filled(prompt.template, variables))
        folder = self._path.parent
        made = answer_of(prompt.script, "get_prompt", {"vars": variables}, folder=folder, allowed=self._code)
        return made if is_array(made) or isinstance(made, str) else text_of(made)

    def _more(self, test: JsonObject, settings: JsonObject, variables: JsonObject, checks: Checks) -> JsonObject:
        more: JsonObject = {}
        metadata = {**object_in(test, "metadata"), **({"vars": variables} if variables else {})}
        if metadata:
            more["metadata"] = metadata
        runs: JsonValue = settings.get("repeat") or self._repeat
        if isinstance(runs, int) and runs > 1:
            more["runs"] = runs
        if provider := test.get("provider"):
            checks.take(differs=f"provider {text_of(provider)!r} of this test: name the agent with `agent`")
        return more

    def _written_assertions(self, test: JsonObject) -> JsonArray:
        shared: JsonArray = [] if object_in(test, "options").get("disableDefaultAsserts") else _asserts(self._default)
        own: JsonArray = test["own_assert"] if "own_assert" in test else _asserts(test)
        return [*own, *shared]

    def _check_count(self, test: JsonObject) -> int:
        """How many checks a test has; those of an `assert-set` count one by one."""
        entries = self._written_assertions(test)
        return sum(len(list_in(one, "assert")) or 1 if is_object(one) else 1 for one in entries)

    def _assertions(self, test: JsonObject, variables: JsonObject) -> JsonArray:
        """The assertions of the test and of `defaultTest`, with templates filled in and references resolved."""
        transform: JsonValue = object_in(test, "options").get("transform")
        entries: JsonArray = []
        for entry in self._written_assertions(test):
            if not is_object(entry):
                entries.append(entry)
                continue
            entry = self._followed(entry)
            code = text_of(entry.get("type")).removeprefix("not-") in ("javascript", "python")
            entry = entry if code else filled(entry, variables)
            entries.append({"transform": transform, **entry} if transform else entry)
        return entries

    def _followed(self, entry: JsonObject) -> JsonObject:
        reference: JsonValue = entry.get("$ref")
        if not isinstance(reference, str):
            return entry
        name = reference.removeprefix("#/assertionTemplates/")
        template: JsonValue = object_in(self._config, "assertionTemplates").get(name)
        if not is_object(template):
            raise TemplateProblem(f"no assertionTemplates/{name}")
        return {**template, **{key: value for key, value in entry.items() if key != "$ref"}}


def _stands_for_several(value: JsonValue) -> bool:
    """Whether a variable makes several tests: a list of texts, or a file name with wildcards. Other lists do not."""
    if isinstance(value, str):
        return value.startswith(FILE_PREFIX) and is_pattern(value)
    return is_array(value) and bool(value) and isinstance(value[0], str)


def _asserts(test: JsonObject) -> JsonArray:
    return list_in(test, "assert")


def _merged(default: JsonObject, test: JsonObject) -> JsonObject:
    """Merges the defaults into a test. The assertions of the test stay separate, as `own_assert`."""
    merged = {**default, **test}
    for key in ("vars", "metadata", "options"):
        if is_object(default.get(key)) or is_object(test.get(key)):
            merged[key] = {**object_in(default, key), **object_in(test, key)}
    own = test.get("own_assert", _asserts(test))
    return {**merged, "own_assert": own}
