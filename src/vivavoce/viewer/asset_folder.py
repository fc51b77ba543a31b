"""Where the viewer's own modules and styles lie; the report's are served beside them."""

from importlib.resources import files

VIEWER_ASSETS = files("vivavoce.viewer") / "assets"
VIEWER_STYLES = ("viewer.css", "cases.css", "talk.css", "review.css")
