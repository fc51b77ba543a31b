"""What is named and not there is never a message and never an empty pass: generated folders, names and spellings."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.app.opening import open_project, sources_of
from vivavoce.app.request import RunRequest
from vivavoce.app.showing import open_shown
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.project.run_options import RUN_OPTIONS
from vivavoce.results.recorded_runs import recorded_runs

SAYS = {"type": "contains", "value": "hello"}
LINE = json.dumps({"id": "planted", "input": "hello there", "assert": SAYS})
YAML = "name: planted\nturns:\n  - user: hello there\n    assert: {text: {must_match: hello}}\n"
CONTENTS = {
    "lines": f"{LINE}\n",
    "crlf": f"{LINE}\r\n",
    "cr": f"{LINE}\r",
    "yaml": YAML,
    "empty": "",
    "blank": "\n\n",
    "comments": "// nothing yet\n",
    "nonsense": "<html>",
}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le")
NAMES = ("cases", "Cäses", "a b", "-x", "x.y", "t[1]", "q?")
SUFFIXES = (".jsonl", ".JSONL", ".yaml", ".viva.yaml", ".ndjson", ".json", ".txt", "")
HOWS = ("as it is", "with ./", "absolute", "its folder", "glob", "other letter", "upper case", "with id", "wrong id")
HOWS += ("line", "tilde", "trailing slash", "doubled", "braces", "under a link", "link to nowhere", "suffix gone")


@contextmanager
def inside(folder: str) -> Iterator[Path]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield Path(folder)
    finally:
        os.chdir(before)


def named(how: str, file: Path) -> str:
    """The file as somebody might write it who means it, or nearly."""
    name = file.name
    linked = file.parent / "linked"
    if how == "under a link":
        linked.symlink_to(file)
    elif how == "link to nowhere":
        linked.symlink_to(file.parent / "gone.jsonl")
    return {
        "as it is": name,
        "with ./": f"./{name}",
        "absolute": str(file),
        "its folder": ".",
        "glob": f"*{file.suffix}",
        "other letter": f"{name[:-1]}z",
        "upper case": name.upper(),
        "with id": f"{name}::planted",
        "wrong id": f"{name}::plantes",
        "line": f"{name}:1",
        "tilde": f"~/{name}",
        "trailing slash": f"{name}/",
        "doubled": f"{name}{name}",
        "braces": f"{{{name},gone}}",
        "under a link": "linked",
        "link to nowhere": "linked",
        "suffix gone": file.stem,
    }[how]


def found_by(name: str) -> list[Case] | None:
    """The cases that a source gives; None where it is refused, at once or while it is read."""
    try:
        read = [case for source in sources_of(open_project(None), [name]) for case in source.read()]
    except VivaError:
        return None
    return None if any(isinstance(one, VivaError) for one in read) else [one for one in read if isinstance(one, Case)]


@settings(max_examples=at_most(400), deadline=None)
@given(
    st.sampled_from(NAMES),
    st.sampled_from(SUFFIXES),
    st.sampled_from(sorted(CONTENTS)),
    st.sampled_from(ENCODINGS),
    st.sampled_from(HOWS),
)
@example("cases", ".jsonl", "lines", "utf-8", "as it is")
@example("cases", ".JSONL", "lines", "utf-16", "as it is")
def test_a_file_is_read_or_refused_however_it_is_named(name: str, suffix: str, content: str, encoding: str, how: str):
    with TemporaryDirectory() as folder, inside(folder):
        file = Path(folder) / f"{name}{suffix}"
        file.write_bytes(CONTENTS[content].encode(encoding))
        words = named(how, file)
        if " " in words or not words.isascii():
            return  # that is a message: it has white space or other letters
        found = found_by(words)
    if found is None:
        return
    assert found, "an empty pass"
    assert not any(case.origin.path.startswith("<message") for case in found), "a path was sent as a message"
    assert all(case.first_input == "hello there" for case in found)
    assert all(case.assertions or case.turns[0].assertions for case in found)


@given(st.lists(st.sampled_from([*"abcXYZ019_.-/~*?[]{},", "::", "agents", "tests/"]), min_size=1).map("".join))
@settings(max_examples=at_most(400), deadline=None)
def test_a_word_of_path_letters_that_names_nothing_is_refused(word: str):
    assume(not word.startswith(("/", "~", "..")))  # these lead out of the folder
    with TemporaryDirectory() as folder, inside(folder):
        assert not found_by(word)


@settings(max_examples=at_most(60), deadline=None)
@given(st.sampled_from(("empty", "blank", "comments", "nonsense")), st.sampled_from((".viva.yaml", ".jsonl")))
def test_a_good_file_beside_a_bad_one_does_not_make_the_folder_green(content: str, suffix: str):
    with TemporaryDirectory() as folder, inside(folder):
        Path("good.jsonl").write_text(CONTENTS["lines"])
        Path(f"other{suffix}").write_text(CONTENTS[content])
        assert found_by(".") is None


@pytest.mark.parametrize("name", [one.name for one in RUN_OPTIONS if one.kind == "text"])
def test_an_empty_value_is_no_option_that_was_left_out(name: str):
    """`-n "$AGENT"` with the variable unset would examine another agent; `--shard ""` would run everything."""
    with pytest.raises(UsageError, match="the value is empty"):
        RunRequest.of({name: ""}, {})


@pytest.mark.parametrize("ask", [recorded_runs, lambda refs, project: open_shown(refs[0], project)])
def test_an_empty_name_is_not_the_newest_run(ask: Callable[[list[str], Project], object], tmp_path: Path):
    with pytest.raises(UsageError, match="the name of the run is empty"):
        ask([""], Project(root=tmp_path))
