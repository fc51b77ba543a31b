"""The pages' bare frames and the front end's files: everything else the browser builds from data."""

from collections.abc import Awaitable, Callable
from html import escape
from importlib.resources import files

from aiohttp import web

from vivavoce.reporters.html.front_end import ASSETS, STYLES

VIEWER_ASSETS = files("vivavoce.viewer") / "assets"
VIEWER_STYLES = ("viewer.css", "cases.css", "talk.css", "review.css")


_KINDS = {".js": "text/javascript", ".css": "text/css"}

_FRAME = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
{styles}
<script type="module" src="{up}assets/{script}"></script>
</head>
<body>
<div id="viva"><p class="loading">Reading …</p></div>
<noscript><p class="loading">This page needs JavaScript. All of it comes from this machine.</p></noscript>
</body>
</html>
"""


def page(script: str, title: str, up: str = "") -> Callable[[web.Request], Awaitable[web.Response]]:
    """A handler for the page that `script` builds; `up` leads from its address to the root."""
    styles = "\n".join(
        f'<link rel="stylesheet" href="{up}assets/{name}">'
        for name in (*STYLES, "comparison.css", "contest.css", *VIEWER_STYLES)
    )
    text = _FRAME.format(title=escape(title), styles=styles, script=script, up=up)

    async def handle(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html")

    return handle


async def asset_file(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    known = {entry.name: entry for folder in (ASSETS, VIEWER_ASSETS) for entry in folder.iterdir()}
    kind = _KINDS.get(name[name.rfind(".") :])
    if kind is None or name not in known:
        raise web.HTTPNotFound
    return web.Response(text=known[name].read_text(encoding="utf-8"), content_type=kind)
