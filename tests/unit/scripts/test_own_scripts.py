from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.scripts.finder import find_script
from vivavoce.scripts.own_scripts import own_script

HOOKS = "def Before(case): return 'mine'\n"


def found(root: Path, ref: str = "env_test.Before", **files: str) -> str:
    write_files(root, {name.replace("__", "."): text for name, text in files.items()})
    return own_script(ref, root / "assistants" / "k" / "src", Project(root=root))


@pytest.mark.parametrize("ref", ["env_test.Before", "src/env_test.Before", "env.Before"])
def test_the_agents_own_script_comes_first(tmp_path, ref):
    files = {"assistants/k/src/env_test__py": HOOKS, "scripts/env_test__py": "def Before(case): return 'theirs'\n"}
    script = found(tmp_path, ref, **files)
    assert script == "assistants/k/src/env_test.py:Before"
    assert find_script(script, Project(root=tmp_path))(None) == "mine"


def test_without_one_the_reference_stays_what_it_is(tmp_path):
    for ref in ("env_test.Before", "Before", "scripts:env_test.Before", "assistants/k/src/env_test.py:Before"):
        assert found(tmp_path, ref) == ref


def test_a_folder_outside_the_project_is_named_in_full(tmp_path):
    write_files(tmp_path / "elsewhere", {"env_test.py": HOOKS})
    script = own_script("env_test.Before", tmp_path / "elsewhere", Project(root=tmp_path / "app"))
    assert script == f"{tmp_path}/elsewhere/env_test.py:Before"


@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_a_script_that_is_not_python_is_refused(tmp_path, suffix):
    with pytest.raises(UsageError, match=rf"assistants/k/src/env_test\.{suffix} is not Python") as caught:
        found(tmp_path, **{f"assistants/k/src/env_test__{suffix}": ""})
    assert caught.value.hint == "write assistants/k/src/env_test.py with a function Before"


def test_one_that_is_not_python_does_no_harm_when_the_project_has_the_script(tmp_path):
    files = {"assistants/k/src/env_test__ts": "", "scripts/env_test__py": HOOKS}
    assert found(tmp_path, **files) == "env_test.Before"
