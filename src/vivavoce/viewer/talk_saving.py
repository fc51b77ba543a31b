"""The page's "Save as test": the case is shown as it would be written, then written as it was shown."""

import asyncio
import hashlib
import shlex

from aiohttp import web
from msgspec import Struct

from vivavoce.app.talking.saved_case import checked_file, save, suggested_file
from vivavoce.app.talking.suggested_case import Draft, DraftMaker, file_name_of
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject
from vivavoce.project.project import Project
from vivavoce.viewer.posting import answer, done, posted
from vivavoce.viewer.talk_routes import TalkRoutes


class CaseChoices(Struct, frozen=True, forbid_unknown_fields=True):
    """What the case is to be called and to check."""

    name: str
    file: str = ""
    """Empty: one that is free."""
    chosen: tuple[int, ...] | None = None
    """The suggested checks, by id; None: those that are suggested by default."""
    shown: str = ""
    """To save: the digest of the draft that the person saw."""


class TalkSaving:
    """Drafts and saves the conversations of the viewer, into new files of the project only."""

    def __init__(self, project: Project, talks: TalkRoutes) -> None:
        self._project = project
        self._talks = talks

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/{token}/api/talks/{talk}/draft", self.draft),
            web.post("/{token}/api/talks/{talk}/save", self.save),
        ]

    async def draft(self, request: web.Request) -> web.Response:
        choices = await posted(request, CaseChoices)
        draft, file = await done(lambda: self._drafted(request, choices))
        suggestions: list[JsonObject] = [
            {"id": one.id, "turn": one.turn, "words": one.words, "notices": one.notices, "wanted": one.wanted}
            for one in draft.suggestions
        ]
        return answer(
            {
                "file": file,
                "text": draft.text,
                "files": sorted(draft.files),
                "suggestions": suggestions,
                "problem": draft.problem,
                "digest": _digest(draft, file),
            }
        )

    async def save(self, request: web.Request) -> web.Response:
        choices = await posted(request, CaseChoices)

        async def saved() -> str:
            draft, file = await self._drafted(request, choices)
            if _digest(draft, file) != choices.shown:
                raise UsageError("this is not the case that was shown", hint="look at it again")
            path = checked_file(self._project, file)
            await asyncio.to_thread(save, path, draft.text, draft.files)
            return file

        file = await done(saved)
        return answer({"file": file, "command": shlex.join(["viva", "test", "-i", file])}, 201)

    async def _drafted(self, request: web.Request, choices: CaseChoices) -> tuple[Draft, str]:
        talk = self._talks.find(request)
        name = " ".join(choices.name.split())
        if not name or len(name) > 200:
            raise UsageError("give the test a name of at most 200 characters")
        file = choices.file.strip() or suggested_file(self._project, file_name_of(name))
        checked_file(self._project, file)
        maker = DraftMaker(self._project, talk.now.agent, talk.transcript)
        # In a thread: many changes of the conversation are judged to find out what checks are worth suggesting.
        draft = await asyncio.to_thread(lambda: asyncio.run(maker.draft(name, file, choices.chosen)))
        return draft, file


def _digest(draft: Draft, file: str) -> str:
    return hashlib.sha256(f"{file}\n{sorted(draft.files)}\n{draft.text}".encode()).hexdigest()
