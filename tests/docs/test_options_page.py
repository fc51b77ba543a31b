"""docs/options.md lists every run option. After a change: python -m tests.docs.test_options_page."""

import re
from pathlib import Path

from vivavoce.project.option import Option
from vivavoce.project.run_options import GROUPS

PAGE = Path(__file__).parents[2] / "docs" / "options.md"
_TABLES = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- end of options -->)", re.DOTALL)
NOT_KEYWORDS = ("CaseOptions", "TerminalOptions")
"""Groups that Python has no keywords for: cases come first, and there is no terminal."""


def row(one: Option, group: str) -> str:
    def code(word: str | None) -> str:
        return f"`{word}`" if word else ""

    cells = (
        " ".join(code(flag) for flag in one.flags),
        code(one.variable),
        code(one.setting),
        "" if group in NOT_KEYWORDS else code(one.name),
        code(one.pytest),
        one.help_with_default.replace("|", "\\|"),
    )
    return f"| {' | '.join(cells)} |\n"


def tables() -> str:
    text = ""
    for group in GROUPS:
        text += f"\n**{(group.__doc__ or '').removesuffix('.')}**\n\n"
        text += "| flag | variable | `run:` in viva.yaml | Python | pytest | meaning |\n|---|---|---|---|---|---|\n"
        text += "".join(row(one, group.__name__) for one in group.declared)
    return text + "\n"


def test_the_page_lists_every_option_as_it_is_declared():
    found = _TABLES.search(PAGE.read_text())
    assert found is not None
    assert found[0] == tables(), "run: python -m tests.docs.test_options_page"


if __name__ == "__main__":
    PAGE.write_text(_TABLES.sub(lambda _: tables(), PAGE.read_text()))
