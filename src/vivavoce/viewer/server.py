"""The local web page: bound to this machine alone, behind a token, gone with Ctrl-C."""

import asyncio
import errno
import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.viewer.answers import Answers
from vivavoce.viewer.case_answers import CaseAnswers
from vivavoce.viewer.guard import Guard
from vivavoce.viewer.library import Library
from vivavoce.viewer.live import LiveRuns
from vivavoce.viewer.measuring import Measuring
from vivavoce.viewer.pages import asset_file, page
from vivavoce.viewer.posting import LARGEST_BODY
from vivavoce.viewer.rejudge_routes import RejudgeRoutes
from vivavoce.viewer.review_routes import ReviewRoutes
from vivavoce.viewer.run_answers import RunAnswers
from vivavoce.viewer.talk_routes import TalkRoutes
from vivavoce.viewer.talk_saving import TalkSaving

LOOPBACK = "127.0.0.1"

_log = logging.getLogger(__name__)


@asynccontextmanager
async def serving(library: Library, port: int = 0, project: Project | None = None) -> AsyncGenerator[str]:
    """Serves the page while the context lasts; gives its address. Port 0 is any free one.

    With a project, its agents can be talked to, its snapshots accepted, its conversations labelled and judged again.
    """
    token = secrets.token_urlsafe(24)
    guard = Guard(token)
    answers = Answers(library)
    live = LiveRuns(library, answers)
    app = web.Application(middlewares=[guard.check], client_max_size=LARGEST_BODY)
    app.add_routes(routes(answers, live))
    talks = None if project is None else TalkRoutes(project)
    if talks is not None:
        reviewing = ReviewRoutes(talks.project, library)
        app.add_routes(Measuring(answers, talks.project).routes())
        app.add_routes([*talks.routes(), *TalkSaving(talks.project, talks).routes()])
        app.add_routes([*reviewing.routes(), *RejudgeRoutes(talks.project, reviewing).routes()])
    _log.addFilter(_is_our_trouble)
    runner = web.AppRunner(app, handle_signals=False, access_log=None, logger=_log, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, LOOPBACK, port)
        try:
            await site.start()
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {_why(error)}", at="--port", hint="leave it out") from None
        guard.port = runner.addresses[0][1]
        yield f"http://{LOOPBACK}:{guard.port}/{token}/"
    finally:
        live.stop.set()
        if talks is not None:
            await talks.close()
        # Streams that were told to stop get a moment to end by themselves.
        await asyncio.sleep(0)
        await runner.cleanup()


def routes(answers: Answers, live: LiveRuns) -> list[web.RouteDef]:
    """The guard has checked the token by the time a route is taken."""
    cases = CaseAnswers(answers)
    known = {
        "/": page("runs_page.js", "Runs · viva"),
        "/runs/{run}": page("served_run.js", "Run · viva", "../"),
        "/compare": page("served_comparison.js", "Comparison · viva"),
        "/cases": page("cases_page.js", "Cases · viva"),
        "/case": page("case_page.js", "Case · viva"),
        "/talk": page("talk_page.js", "Talk · viva"),
        "/review": page("review_page.js", "Review · viva"),
        "/assets/{name}": asset_file,
        "/api/runs": answers.runs,
        "/api/numbers": RunAnswers(answers).numbers,
        "/api/runs/{run}": answers.run,
        "/api/runs/{run}/heads": answers.heads,
        "/api/runs/{run}/rows/{position:[0-9]+}": answers.row,
        "/api/runs/{run}/search": answers.search,
        "/api/runs/{run}/contest": answers.contest,
        "/api/compare": answers.compare,
        "/api/cases": cases.grid,
        "/api/case": cases.story,
        "/api/case/row": cases.row,
        "/api/events": live.runs,
        "/api/runs/{run}/events": live.run,
    }
    return [web.get(f"/{{token}}{path}", handler) for path, handler in known.items()]


def _is_our_trouble(record: logging.LogRecord) -> bool:
    """Returns False for a request that is not HTTP: the error is its sender's, who gets a 400."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


def _why(error: OSError) -> str:
    return "it is in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
