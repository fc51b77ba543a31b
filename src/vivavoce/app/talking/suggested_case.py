"""A conversation that was held → a case that checks that it happens again, with suggested checks to choose from."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.app.request import RunRequest
from vivavoce.app.talking.attached_files import with_files
from vivavoce.engine.attempt.attempt import contained
from vivavoce.engine.attempt.closing import Closing
from vivavoce.engine.rejudge import judged_again
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.insight.mutants.case_score import case_score
from vivavoce.insight.mutants.mutant import RunPool
from vivavoce.insight.mutants.suggesting import with_check
from vivavoce.insight.mutants.survival import Trial
from vivavoce.insight.mutants.words import by_suggestion
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Transcript
from vivavoce.notation.yaml_writer import yaml_text
from vivavoce.project.project import Project
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.decoding.conversation_encoder import encode_assertions
from vivavoce.sources.freezing import frozen_case
from vivavoce.wording.results import check_title

_LONGEST_CONVERSATION = 40
"""Turns: for longer ones only the plain checks are suggested, as trying every change of them takes too long."""
_OFTEN_DIFFERENT = ("contains", "tool_result")
"""Numbers in a reply, and tools that may fail and be tried again."""
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


class Suggestion(Struct, frozen=True):
    """A check that this conversation passes."""

    id: int
    turn: int
    check: JsonObject
    words: str
    """The check as the console shows it."""
    notices: str = ""
    """What it would notice, besides that the conversation happens again."""
    wanted: bool = True
    """False where answers that are just as good may well differ: it is offered, not chosen."""


class Draft(Struct, frozen=True):
    """A case as it would be written."""

    text: str
    suggestions: tuple[Suggestion, ...]
    files: dict[str, bytes]
    """The attachments that it names, by path from the folder of the case."""
    problem: str = ""
    """Why the conversation does not pass the case; empty: it passes."""


class DraftMaker:
    """Makes cases of one conversation. No agent is called."""

    def __init__(self, project: Project, agent: str, transcript: Transcript) -> None:
        """Raises UsageError when nothing was said."""
        if not transcript.turns:
            raise UsageError("nothing was said yet")
        self._project = project
        self._agent = agent
        self._transcript = transcript

    async def draft(self, name: str, file: str, chosen: Collection[int] | None = None) -> Draft:
        """The case of that name with the chosen checks; None: with those that are wanted by default."""
        resources = RunResources(self._project, RunRequest.of({}).replaced(writes_snapshots=False).settings())
        try:
            frozen = frozen_case(Case(id="talk", name=name), self._transcript, self._agent)
            numbered = _numbered([*_plain(frozen), *await self._stronger(frozen, resources)])
            case = _without_checks(frozen)
            for one in numbered:
                if one.wanted if chosen is None else one.id in chosen:
                    case = with_check(case, one.turn, one.check)
            problem = await self._problem(case, resources)
        finally:
            await resources.close()
        written, files = with_files(case, f"{Path(file).stem}.files")
        return Draft(case_text(written), numbered, files, problem)

    async def _stronger(self, case: Case, resources: RunResources) -> list[Suggestion]:
        """Checks that would notice a change which the plain ones do not."""
        if len(case.turns) > _LONGEST_CONVERSATION:
            return []
        recorded = Attempt(status=Status.PASSED, transcript=self._transcript)
        trial = Trial(case, recorded, resources.helpers)
        if not await trial.passes(case, self._transcript):
            return []
        score = case_score(case, 1, await trial.fates(RunPool((), ()), seed=0))
        return [
            _suggestion(found[0].turn, check, found[0].change, wanted=check["type"] not in _OFTEN_DIFFERENT)
            for check, found in by_suggestion(score.survivors)
            if check is not None
        ]

    async def _problem(self, case: Case, resources: RunResources) -> str:
        closing = Closing(helpers=resources.helpers, timeout_s=resources.settings.timeout_s)
        attempt = await contained(judged_again(case, self._transcript, closing))
        return "" if attempt.status is Status.PASSED else attempt.error or attempt.status.value


def case_text(case: Case) -> str:
    """The case as a YAML file. Its id is the name of the file."""
    written = encode_case(case)
    written.pop("id", None)
    return yaml_text(written)


def file_name_of(name: str) -> str:
    """`A refund, please!` → `a-refund-please.yaml`."""
    return f"{_NOT_A_NAME.sub('-', name.lower()).strip('-')[:60] or 'talk'}.yaml"


def _plain(case: Case) -> Iterator[Suggestion]:
    for number, turn in enumerate(case.turns, start=1):
        for check in encode_assertions(turn.assertions):
            yield _suggestion(number, check)


def _suggestion(turn: int, check: JsonObject, notices: str = "", *, wanted: bool = True) -> Suggestion:
    spec = decode_assertions([check], Origin("a suggested check"))[0]
    return Suggestion(0, turn, check, check_title(spec), notices, wanted)


def _numbered(suggestions: list[Suggestion]) -> tuple[Suggestion, ...]:
    """In the order of the turns. That a tool is called goes without saying where another check says more about it."""
    known = {(one.turn, one.check["name"]) for one in suggestions if "name" in one.check}
    left = [one for one in suggestions if (one.turn, _only_called(one.check)) not in known]
    ordered = sorted(left, key=lambda one: one.turn)
    return tuple(structs.replace(one, id=number) for number, one in enumerate(ordered))


def _only_called(check: JsonObject) -> JsonValue:
    return check.get("value") if check["type"] == "tool_called" else None


def _without_checks(case: Case) -> Case:
    return structs.replace(case, turns=tuple(structs.replace(turn, assertions=()) for turn in case.turns))
