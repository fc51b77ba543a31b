"""References to user code: what they find, and what is said when they find nothing."""

import os
import sys
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.scripts.finder import find_object, find_script, load_module


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return Project(root=tmp_path)


def write(project: Project, path: str, code: str) -> Path:
    file = project.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code)
    return file


@pytest.mark.parametrize(
    "ref", ["scripts:tests.validate-expense", "scripts.tests.validate_expense", "tests.validate-expense"]
)
@pytest.mark.parametrize("file", ["validate_expense.py", "validate-expense.py"])
def test_a_dotted_id_names_a_file_below_scripts(project: Project, ref: str, file: str):
    write(project, f"scripts/tests/{file}", "def main(): return 'main'")
    assert find_script(ref, project)() == "main"


def test_a_function_named_like_the_file_comes_before_main(project: Project):
    write(project, "scripts/tests/check.py", "def main(): return 'main'\ndef check(): return 'check'")
    assert find_script("scripts:tests.check", project)() == "check"


@pytest.mark.parametrize("name", ["Generate", "generate"])
def test_the_last_part_may_be_a_function_of_the_file_before_it(project: Project, name: str):
    write(project, "scripts/tests/gen.py", "def Generate(): return 'made'")
    assert find_script(f"scripts:tests.gen.{name}", project)() == "made"


def test_snake_case_and_camel_case_are_one_name(project: Project):
    write(project, "scripts/test.py", "def validate_output(): return 'ok'")
    assert find_script("scripts.test.ValidateOutput", project)() == "ok"


def test_a_file_without_the_function_gives_way_to_the_folder_above(project: Project):
    write(project, "scripts/a/b.py", "x = 1")
    write(project, "scripts/a.py", "def b(): return 'from a'")
    assert find_script("scripts:a.b", project)() == "from a"


def test_a_value_with_the_name_of_the_file_is_no_script(project: Project):
    write(project, "scripts/config.py", "config = {'a': 1}\ndef main(): return config")
    assert find_script("scripts:config", project)() == {"a": 1}


def test_a_path_and_function(project: Project):
    write(project, "agents/bot.py", "def reply(): return 'hi'\ndef main(): return 'main'")
    assert find_script("agents/bot.py:reply", project)() == "hi"
    assert find_script("agents/bot.py", project)() == "main"


def test_a_module_and_function_of_the_project(project: Project):
    write(project, "unlike_any_other/brain.py", "from . import words\ndef think(): return words.SAY")
    write(project, "unlike_any_other/words.py", "SAY = 'hm'")
    write(project, "unlike_any_other/__init__.py", "")
    assert find_script("unlike_any_other.brain:think", project)() == "hm"


def test_an_attribute_of_an_object(project: Project):
    write(project, "bot.py", "class Speaker:\n  def reply(self): return 'hi'\nbot = Speaker()")
    assert find_script("bot.py:bot.reply", project)() == "hi"
    assert type(find_object("bot.py:bot", project)).__name__ == "Speaker"
    with pytest.raises(UsageError, match="has no function 'bot'"):
        find_script("bot.py:bot", project)


def test_neighbours_scripts_and_the_root_can_be_imported(project: Project):
    write(project, "scripts/deep/near_by.py", "A = 1")
    write(project, "scripts/in_scripts.py", "B = 2")
    write(project, "at_the_root.py", "C = 3")
    code = "import near_by, in_scripts, at_the_root\ndef main(): return near_by.A, in_scripts.B, at_the_root.C"
    write(project, "scripts/deep/x.py", code)
    assert find_script("scripts:deep.x", project)() == (1, 2, 3)


def test_each_folder_imports_its_own_namesake(project: Project):
    for folder in ("one", "two"):
        write(project, f"{folder}/namesake.py", f"HOME = {folder!r}")
        write(project, f"{folder}/index.py", "import namesake\ndef main(): return namesake.HOME")
    assert [find_script(f"{folder}/index.py", project)() for folder in ("one", "two")] == ["one", "two"]


def test_user_files_never_hide_the_standard_library(project: Project):
    write(project, "scripts/colorsys.py", "raise SystemExit('shadowed')")
    write(project, "scripts/x.py", "import colorsys\ndef main(): return colorsys.rgb_to_hsv(0, 0, 0)")
    assert find_script("scripts:x", project)() == (0.0, 0.0, 0)


def test_a_file_is_loaded_once_until_it_changes(project: Project):
    file = write(project, "x.py", "value = 1")
    first = load_module(file)
    assert load_module(file) is first
    file.write_text("value = 2")
    os.utime(file, ns=(1, 1))
    assert load_module(file).value == 2


def test_what_a_module_prints_on_import_stays_off_stdout(project: Project, capsys: pytest.CaptureFixture[str]):
    load_module(write(project, "x.py", "print('loading')"))
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "loading\n")


def refused(ref: str, project: Project) -> str:
    with pytest.raises(UsageError) as caught:
        find_script(ref, project)
    return str(caught.value)


def test_a_missing_script_says_where_it_was_looked_for_and_the_nearest(project: Project):
    write(project, "scripts/tests/validate_expense.py", "")
    said = refused("scripts:tests.validate_expence", project)
    assert said == (
        "script 'scripts:tests.validate_expence' not found: there is no scripts/tests/validate_expence.py, "
        "scripts/tests.py (did you mean 'tests.validate_expense'?)"
    )


def test_a_file_named_from_another_folder_says_how_the_project_calls_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    write(project, "below/x.py", "")
    write(project, "top.py", "")
    monkeypatch.chdir(project.root / "below")
    assert refused("x.py:f", project) == (
        f"script 'x.py:f' not found: there is no x.py in {project.root} "
        "(paths go from the project's folder: write below/x.py)"
    )
    assert refused("../top.py:f", project).endswith("(paths go from the project's folder: write top.py)")
    assert refused("nowhere.py:f", project).endswith("(paths go from the project's folder)")


def test_without_a_scripts_folder_that_is_the_hint(project: Project):
    assert refused("scripts:x", project).endswith("(there is no folder scripts)")


def test_a_missing_function_names_the_nearest(project: Project):
    write(project, "bot.py", "def reply(): ...")
    assert refused("bot.py:replay", project) == (
        "script 'bot.py:replay': bot.py has no function 'replay' (did you mean 'reply'?)"
    )


def test_what_a_file_has_is_told_without_what_it_imports(project: Project):
    write(
        project, "bot.py", "from dataclasses import dataclass, replace\nimport os\nbot = {}\nbots = None\ndef f(): ..."
    )
    with pytest.raises(UsageError, match=r"has no function or object 'x' \(it has bot, f\)$"):
        find_object("bot.py:x", project)
    with pytest.raises(UsageError, match=r"has no function 'x' \(it has f\)$"):
        find_script("bot.py:x", project)
    # What is imported may be meant all the same.
    with pytest.raises(UsageError, match="did you mean 'dataclass'"):
        find_script("bot.py:dataclas", project)
    with pytest.raises(UsageError, match=r"'bots' of bot.py is None .*\(name a function that makes and returns it\)"):
        find_object("bot.py:bots", project)


def test_a_syntax_error_is_told_with_its_line(project: Project):
    write(project, "scripts/x.py", "ok = 1\ndef main(:\n")
    assert refused("scripts:x", project).startswith("scripts/x.py:2: syntax error: ")


def test_a_missing_import_is_told_with_its_line(project: Project):
    write(project, "scripts/x.py", "\nimport no_such_thing_here")
    assert refused("scripts:x", project) == (
        "scripts/x.py:2: scripts/x.py cannot be imported: ModuleNotFoundError: No module named 'no_such_thing_here' "
        "(is it installed where viva runs?)"
    )


def test_a_missing_module_says_where_was_looked(project: Project):
    assert refused("no.such_module_here:f", project) == (
        "no module 'no.such_module_here': looked in ., scripts and the installed packages"
    )


def test_an_error_on_import_shows_the_users_lines_only(project: Project):
    write(project, "scripts/x.py", "import json\nimport breaks\n")
    write(project, "scripts/breaks.py", "import json\njson.loads('{')\n")
    said = refused("scripts:x", project)
    assert said.startswith("scripts/breaks.py:2: scripts/x.py cannot be imported: JSONDecodeError: ")
    assert "  scripts/x.py:2 in <module>\n    import breaks\n  scripts/breaks.py:2 in <module>" in said
    assert "decoder.py" not in said


def test_leaving_on_import_is_an_error_like_any_other(project: Project):
    write(project, "scripts/x.py", "import sys\nsys.exit(3)")
    assert "scripts/x.py:2: scripts/x.py cannot be imported: SystemExit: 3" in refused("scripts:x", project)


def test_an_unreadable_file_is_told(project: Project):
    with pytest.raises(UsageError, match=r"gone\.py: cannot be read: No such file"):
        load_module(project.root / "gone.py")


@pytest.mark.parametrize("words", ["1 / 0", "5", "exit(0)"])
def test_an_error_on_import_that_has_no_words_is_named(project: Project, words: str):
    mute = f"class Mute(Exception):\n    def __str__(self):\n        return {words}\nraise Mute\n"
    write(project, "scripts/x.py", mute)
    assert "scripts/x.py cannot be imported: Mute: <exception str() failed>" in refused("scripts:x", project)
