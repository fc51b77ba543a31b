"""Coverage and mutants of a run: measured by viva itself in a process of its own, whose memory goes with it.

A page asks and waits while viva measures. The work ends when the reader leaves the page.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from aiohttp import web

from vivavoce.containment.process_tree import MARK, end_all_of, new_mark
from vivavoce.project.project import Project
from vivavoce.viewer.answers import Answers, is_gone, json_response
from vivavoce.viewer.pages import page

COMMANDS = {"coverage": "coverage", "mutants": "mutate"}
"""Page → the command that measures what it shows."""
_LONGEST_REASON = 400
_LOOK_EVERY_S = 0.5


class Measuring:
    """One measurement at a time: each takes a whole core."""

    def __init__(self, answers: Answers, project: Project) -> None:
        self._answers = answers
        self._project = project
        self._turn = asyncio.Lock()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/{token}/runs/{run}/coverage", page("coverage_page.js", "Coverage · viva", "../../")),
            web.get("/{token}/runs/{run}/mutants", page("mutants_page.js", "Mutants · viva", "../../")),
            web.get("/{token}/api/runs/{run}/{what:coverage|mutants}", self.measure),
        ]

    async def measure(self, request: web.Request) -> web.Response:
        run_id = request.match_info["run"]
        await self._answers.run_of(run_id)
        ref = self._answers.library.name_of(run_id)
        async with self._turn:
            with tempfile.TemporaryDirectory(prefix="viva-measure-") as folder:
                out = Path(folder) / "measured.json"
                words = await self._run(request, ref, out)
                if not out.exists():
                    raise web.HTTPConflict(reason=_reason(words))
                return json_response(await asyncio.to_thread(out.read_bytes))

    async def _run(self, request: web.Request, ref: str, out: Path) -> str:
        """Returns what the command printed."""
        command, mark = COMMANDS[request.match_info["what"]], new_mark()
        config = self._project.config_path
        chosen = [] if config is None else ["--config", str(config)]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "vivavoce", command, ref, *chosen, "-o", str(out)),
            cwd=self._project.root,
            env={**os.environ, "NO_COLOR": "1", MARK: mark},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        reading = asyncio.create_task(process.communicate())
        try:
            while not (await asyncio.wait([reading], timeout=_LOOK_EVERY_S))[0]:
                if is_gone(request):
                    raise web.HTTPServiceUnavailable(reason="nobody waits for it any more")
            return (await reading)[0].decode("utf-8", "replace")
        finally:
            if process.returncode is None:
                reading.cancel()
                end_all_of(process.pid, mark)


def _reason(words: str) -> str:
    """The last thing it said, on one line: that is where viva puts its errors."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return (lines[-1] if lines else "viva said nothing")[-_LONGEST_REASON:]
