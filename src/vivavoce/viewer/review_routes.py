"""The page's Review: snapshots that changed, accepted one by one, and labels for conversations."""

import asyncio
import hashlib
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct, structs

from vivavoce.app.labelling import Question, questions
from vivavoce.app.snapshot_review import Pending, SeenValue, review
from vivavoce.errors import UsageError
from vivavoce.insight.calibration.labels import Decision, add_labels, labels_path, read_labels
from vivavoce.model.json_value import JsonObject
from vivavoce.project.inside import inside_path
from vivavoce.project.project import Project
from vivavoce.results.encoding import encoded
from vivavoce.results.recorded_runs import recorded_runs
from vivavoce.results.turn_rows import turn_row
from vivavoce.results.verdict_rows import verdict_row
from vivavoce.snapshots.places import snap_path
from vivavoce.viewer.library import Library
from vivavoce.viewer.posting import answer, done, posted

T = TypeVar("T")
_MOST_QUESTIONS = 300


class AcceptedSnapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """The value of a snapshot that is right from now on."""

    run: str
    case: str
    """`path::id`."""
    name: str
    seen: str
    """The digest of the value that the person saw."""


class NewLabel(Struct, frozen=True, forbid_unknown_fields=True):
    run: str
    case: str
    conversation: str
    """The digest of what was said and done."""
    label: Decision
    criterion: str | None = None
    note: str = ""


class ReviewRoutes:
    """Reads and writes through the functions of `viva snapshots` and `viva label`, inside the project only."""

    def __init__(self, project: Project, library: Library) -> None:
        self._project = project
        self._library = library

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/{token}/api/review/snapshots", self.snapshots),
            web.post("/{token}/api/review/accept", self.accept),
            web.get("/{token}/api/review/conversations", self.conversations),
            web.get("/{token}/api/review/conversation", self.conversation),
            web.post("/{token}/api/review/label", self.label),
        ]

    # ── snapshots ──

    async def snapshots(self, request: web.Request) -> web.Response:
        run = await self.reference(request.query.get("run", ""))
        return answer(await _worked(lambda: self._pending(run)))

    async def accept(self, request: web.Request) -> web.Response:
        accepted = await posted(request, AcceptedSnapshot)
        run = await self.reference(accepted.run)
        return answer({"file": await _worked(lambda: self._accepted(run, accepted))})

    def _pending(self, run: str) -> JsonObject:
        found = review(self._project, [run])
        pending: list[JsonObject] = [
            {"case": one.case.key, "title": one.case.title, "name": one.name, "file": self._file_of(one), "seen": seen}
            for one in found.pending
            if (seen := _open_values(one))
        ]
        return {"pending": pending, "left_out": found.left_out}

    def _accepted(self, run: str, accepted: AcceptedSnapshot) -> str:
        for one in review(self._project, [run]).pending:
            if (one.case.key, one.name) == (accepted.case, accepted.name):
                for seen in one.seen:
                    if _digest(seen) == accepted.seen:
                        inside_path(str(snap_path(one.case)), self._project.root)
                        return self._project.shown(one.accept(seen))
        raise UsageError("this snapshot is not open any more", hint="look at the list again")

    def _file_of(self, pending: Pending) -> str:
        return self._project.shown(snap_path(pending.case))

    # ── labels ──

    async def conversations(self, request: web.Request) -> web.Response:
        run = await self.reference(request.query.get("run", ""))
        by_criterion = request.query.get("criteria") == "yes"
        return answer(await _worked(lambda: self._questions(run, by_criterion=by_criterion)))

    async def conversation(self, request: web.Request) -> web.Response:
        """The turns of a conversation, without the results of checks and judges, which would influence people."""
        run = await self.reference(request.query.get("run", ""))
        case, digest = request.query.get("case", ""), request.query.get("conversation", "")
        return answer(await _worked(lambda: _turns(self._question(run, case, digest, None))))

    async def label(self, request: web.Request) -> web.Response:
        label = await posted(request, NewLabel)
        if len(label.note) > 10_000:
            raise web.HTTPBadRequest(reason="the note is too long")
        run = await self.reference(label.run)
        return answer({"file": await _worked(lambda: self._labelled(run, label))})

    def _questions(self, run: str, *, by_criterion: bool) -> JsonObject:
        labels = read_labels(labels_path(None, self._project), must_exist=False)
        found = questions(recorded_runs([run], self._project), by_criterion=by_criterion)
        asked: list[JsonObject] = []
        for question in islice(found, _MOST_QUESTIONS):
            one = question.conversation
            known = labels.find(one.key, one.digest, question.criterion)
            exact = known is not None and (known.criterion or None) == question.criterion
            asked.append(
                {
                    "case": one.key,
                    "title": one.case.title,
                    "conversation": one.digest,
                    "criterion": question.criterion,
                    "label": known.label if known is not None and exact else None,
                    "note": (known.note or "") if known is not None and exact else "",
                }
            )
        return {"questions": asked, "more": next(found, None) is not None}

    def _question(self, run: str, case: str, digest: str, criterion: str | None) -> Question:
        runs = recorded_runs([f"{run}::{case}"], self._project)
        for question in questions(runs, by_criterion=criterion is not None):
            one = question.conversation
            if (one.key, one.digest, question.criterion) == (case, digest, criterion):
                return question
        raise UsageError("there is no such conversation in this run")

    def _labelled(self, run: str, label: NewLabel) -> str:
        question = self._question(run, label.case, label.conversation, label.criterion)
        path = labels_path(None, self._project)
        inside_path(str(path), self._project.root)
        add_labels(path, [question.answered(label.label, label.note.strip())])
        return self._project.shown(path)

    async def reference(self, run_id: str) -> str:
        """How `viva` names a run that the page shows. Raises HTTPNotFound for any other."""
        found = await asyncio.to_thread(self._library.reference, run_id)
        if found is None:
            raise web.HTTPNotFound(reason="there is no such run")
        return found


async def _worked(work: Callable[[], T]) -> T:
    return await done(lambda: asyncio.to_thread(work))


def _open_values(pending: Pending) -> list[JsonObject]:
    """The values that differ from what is approved by now."""
    return [
        {"digest": _digest(seen), "notes": list(seen.notes), "value": seen.value, "verdict": verdict_row(verdict)}
        for seen in pending.seen
        if (verdict := pending.verdict(seen)) is not None
    ]


def _digest(seen: SeenValue) -> str:
    return hashlib.sha256(encoded({"value": seen.value})).hexdigest()


def _turns(question: Question) -> JsonObject:
    one = question.conversation
    turns = one.attempt.transcript.turns
    rows = [msgspec.Raw(encoded(turn_row(one.case, structs.replace(turn, verdicts=(), reached=())))) for turn in turns]
    return {"turns": rows}
