"""`--cov` refused; tests/cli/test_coverage.py measures with it."""

from pathlib import Path

import pytest

from vivavoce.app.code_coverage import measured_code
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({"cov": ("nowhere",)}, "there is no nowhere"),
        ({"cov": ("agent.py",), "executor": "ray"}, "this machine only"),
    ],
)
def test_what_cannot_be_measured_is_told(flags: dict[str, object], problem: str):
    with pytest.raises(UsageError, match=problem), measured_code(RunRequest.of(flags)):
        pass


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("vivavoce.app.code_coverage.import_module", missing)
    with (
        pytest.raises(UsageError, match="needs coverage") as caught,
        measured_code(RunRequest.of({"cov": ("agent.py",)})),
    ):
        pass
    assert "vivavoce[cov]" in str(caught.value)


def test_without_the_flag_nothing_is_measured():
    with measured_code(RunRequest.of({})) as measured:
        assert measured is None
