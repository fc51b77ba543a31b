"""Coverage as Markdown and JSON."""

import io
import json

from tests.unit.reporters.coverage.sample import COVERAGE

from vivavoce.reporters.coverage.documents import write_json, write_markdown


def test_markdown_shows_names_as_they_are():
    text = io.StringIO()
    write_markdown(COVERAGE, text)
    assert "| refund | checked | unchecked | never |" in text.getvalue()
    assert r"\<find\> → refund" in text.getvalue()
    assert "* the agent does not list its tools\n" in text.getvalue()


def test_json_has_every_item():
    out = io.StringIO()
    write_json(COVERAGE, out)
    data = json.loads(out.getvalue())
    assert data["exercised"] == {"count": 4, "of": 14, "percent": 28.57}
    assert data["items"][0] == {
        "group": "tool",
        "name": "refund",
        "aspect": "called",
        "state": "checked",
        "conversations": 2,
        "example": "a.yaml::T1",
        "checked_by": "a.yaml::T1",
    }
