"""Cases that an agent or a script makes before the run, checked like those of a file."""

import re
from collections.abc import Iterator

from msgspec import UNSET, Struct

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions, Case, Origin
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_object
from vivavoce.model.message import AgentReply, Message
from vivavoce.protocols import AgentCaller, AgentCard, ToolSpec
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.generated_reply import found_cases
from vivavoce.sources.input_ref import InputRef
from vivavoce.wording.terminal_text import clip

_LONGEST_QUOTE = 300


class Generated(Struct, frozen=True):
    """The cases of a generator's answer, the problems of the bad ones, and what the generator printed."""

    cases: list[Case]
    problems: list[UsageError]
    logs: str = ""


class GeneratedSource:
    """`agents:ID?count=10` or `scripts:ID?…`. It is empty until `keep` gives it its cases."""

    def __init__(self, ref: InputRef) -> None:
        self.ref = f"{'agents' if ref.type == 'agent' else 'scripts'}:{ref.value}"
        self._params = ref.params
        self._trusted = ref.type == "script"
        """A script is the user's own code. Cases that an agent wrote must not run code."""
        self._cases: list[Case] = []

    @property
    def label(self) -> str:
        return self.ref

    @property
    def connector(self) -> str | None:
        """The one that `?connector=ID` asks for."""
        named = self._params.get("connector")
        return None if named is None else str(named)

    def read(self) -> Iterator[Case | UsageError]:
        return iter(self._cases)

    def keep(self, cases: list[Case]) -> None:
        self._cases = cases

    async def generate(self, agents: AgentCaller, target: AgentCard) -> Generated:
        """Asks the generator. Raises CallFailed when it breaks, UsageError when its answer holds no cases at all."""
        request, options = self._request(target)
        message = Message(role="user", content=compact_json(request))
        reply = await agents.ask(self.ref, [message], options)
        if reply.error is not None:
            raise CallFailed(reply.error, fault="agent")
        return self._read(reply)

    def _request(self, target: AgentCard) -> tuple[JsonObject, CallOptions]:
        params = dict(self._params)
        connector = params.pop("connector", None)
        request = {
            "target_agent": target.id,
            "target_description": target.description,
            "target_tools": [_as_offered(tool) for tool in target.tools],
            **params,
        }
        options = CallOptions(
            connector=None if connector is None else str(connector),
            skip={"history": True},
            metadata={"test_mode": "generator", **request},
        )
        return request, options

    def _read(self, reply: AgentReply) -> Generated:
        said = reply.text if reply.data is UNSET else reply.data
        found = found_cases(said)
        if found is None or not found.items:
            what = "its reply holds no JSON" if found is None else "its reply holds no cases"
            raise UsageError(f"generator {self.ref} made nothing: {what}: {_quoted(said)}")
        cases: list[Case] = []
        problems: list[UsageError] = []
        numbers: dict[str, int] = {}
        for number, raw in enumerate(found.items, start=1):
            try:
                case = self._case(raw, number)
                if case.id in numbers:
                    raise UsageError(f"duplicate id {case.id!r}, first used by case {numbers[case.id]}")
            except UsageError as problem:
                problems += [self._bad(each, raw, number) for each in problem.each()]
            else:
                numbers[case.id] = number
                cases.append(case)
        asked = self._params.get("count")
        if isinstance(asked, int) and len(found.items) < asked:
            what = f"the generator was asked for {asked} cases and made {len(found.items)}"
            problems.append(UsageError(what, at=self.ref))
        if found.repaired:
            what = "the reply was broken JSON and had to be repaired, a case may be cut short"
            problems.append(UsageError(f"{what}: {_quoted(said)}", at=self.ref))
        return Generated(cases, problems, reply.logs)

    def _case(self, raw: JsonValue, number: int) -> Case:
        if not is_object(raw):
            raise UsageError("wanted an object")
        if not self._trusted:
            refuse_foreign_code(raw)
        return decode_case(raw, Origin(self.ref, number))

    def _bad(self, problem: UsageError, raw: JsonValue, number: int) -> UsageError:
        what = f"{problem.what}; the case was {_quoted(raw)}"
        return UsageError(what, at=Origin(self.ref, number), hint=problem.hint)


def _as_offered(tool: ToolSpec) -> JsonObject:
    """A tool as the agent's model sees it, without empty fields."""
    fields = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {name: value for name, value in fields.items() if value}


def _quoted(said: JsonValue) -> str:
    if said == "":
        return "(nothing)"
    return clip(said if isinstance(said, str) else compact_json(said), _LONGEST_QUOTE)


_RUN_SOMETHING = ("hooks", "before", "after", "agent")
_NAME_SOMEONE = frozenset({"use", "script", "simulator"})
_OF_THIS_PROJECT = r"(?:agents:|scripts[:.])?[\w.-]+"
"""The plain id of an agent or script of the project: never `cmd:…`, `python:…`, `module:function` or a path."""


def refuse_foreign_code(raw: JsonObject) -> None:
    """Raises UsageError when running the case would run code that its writer chose."""
    for field in _RUN_SOMETHING:
        if raw.get(field):
            raise _refused(f"{field!r}")
    _refuse_below(raw)


def _refuse_below(value: JsonValue) -> None:
    if is_object(value):
        for key, inner in value.items():
            if key in _NAME_SOMEONE and isinstance(inner, str) and not re.fullmatch(_OF_THIS_PROJECT, inner):
                raise _refused(f"{key!r}: {inner!r}")
            _refuse_below(inner)
    elif is_array(value):
        for inner in value:
            _refuse_below(inner)


def _refused(what: str) -> UsageError:
    return UsageError(
        f"a case that an agent wrote may not say {what}: it would run code of the agent's choosing",
        hint="write such cases into a file yourself",
    )
