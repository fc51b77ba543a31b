"""The page's "Judge again": a run's conversations, judged by the cases as they read now. No agent is called."""

import os
import sys
import tempfile
from pathlib import Path

import msgspec
from aiohttp import web
from msgspec import Struct

from vivavoce.app.rejudge_process import RejudgeOutcome
from vivavoce.containment.processes import run_command
from vivavoce.errors import VivaError
from vivavoce.project.project import Project
from vivavoce.viewer.posting import answer, done, posted
from vivavoce.viewer.review_routes import ReviewRoutes


class RejudgeChoices(Struct, frozen=True, forbid_unknown_fields=True):
    judges: bool = False
    """Whether judges may be asked again when their question changed: that costs money."""


class RejudgeRoutes:
    """One run is judged at a time: scripts of the user are run."""

    def __init__(self, project: Project, review: ReviewRoutes) -> None:
        self._project = project
        self._review = review
        self._busy = False

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/{token}/api/runs/{run}/rejudge", self.rejudge)]

    async def rejudge(self, request: web.Request) -> web.Response:
        choices = await posted(request, RejudgeChoices)
        run = await self._review.reference(request.match_info["run"])
        if self._busy:
            raise web.HTTPConflict(reason="a run is being judged again already")
        self._busy = True
        try:
            outcome = await done(lambda: self._judged(run, choices))
        finally:
            self._busy = False
        if outcome.problem:
            raise web.HTTPConflict(reason=" ".join(outcome.problem.split()))
        return answer(outcome)

    async def _judged(self, run: str, choices: RejudgeChoices) -> RejudgeOutcome:
        config = [] if self._project.config_path is None else [str(self._project.config_path)]
        with tempfile.TemporaryDirectory(prefix="viva-") as folder:
            result = Path(folder) / "outcome.json"
            command = (sys.executable, "-P", "-m", "vivavoce.app.rejudge_process")
            arguments = [run, str(result), "yes" if choices.judges else "no", *config]
            ended = await run_command([*command, *arguments], cwd=os.getcwd(), ends_background=True)
            if not result.is_file():
                raise VivaError(f"judging ended with {ended.how}: {ended.last_words}")
            return msgspec.json.decode(result.read_bytes(), type=RejudgeOutcome)
