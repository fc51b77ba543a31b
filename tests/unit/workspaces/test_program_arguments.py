"""Arguments that name files of a program's own folder."""

from vivavoce.workspaces.program_arguments import still_meant


def test_a_file_of_the_own_folder_is_meant_wherever_the_program_runs(tmp_path):
    (tmp_path / "agent.py").touch()
    assert still_meant("agent.py", tmp_path) == str(tmp_path / "agent.py")


def test_everything_else_stays_as_it_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    for part in ("--flag", "folder", "nowhere.py", "/usr/bin/env", "a\0b"):
        assert still_meant(part, tmp_path) == part
