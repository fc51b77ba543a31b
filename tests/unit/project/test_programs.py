"""Programs that `viva.yaml` names."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.programs import require_program
from vivavoce.project.project import Project


@pytest.mark.parametrize("command", ["sh -c cat", ["sh"], "${PROGRAM} x", "", "  ", [], None, "'open", "'./a b.sh' x"])
def test_what_is_there_or_cannot_be_told_yet_is_left_alone(command: object, tmp_path: Path):
    (tmp_path / "a b.sh").write_text("#!/bin/sh\n")
    (tmp_path / "a b.sh").chmod(0o755)
    require_program("agent 'a'", {"cmd": command}, Project(root=tmp_path))


@pytest.mark.parametrize("command", ["nosuchcmd -x", ["nosuchcmd"]])
def test_what_is_missing_is_named(command: object, tmp_path: Path):
    with pytest.raises(UsageError, match=r"agent 'a': serve\.cmd: no such program: nosuchcmd"):
        require_program("agent 'a': serve.cmd", {"cmd": command}, Project(root=tmp_path))
