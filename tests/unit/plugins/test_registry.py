"""Names of plug-ins: found when needed, refused when they clash, named when they do not work."""

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.distributions import install

from vivavoce.errors import UsageError
from vivavoce.plugins.registry import Registry
from vivavoce.plugins.shapes import callable_shape

GROUP = "viva.tests_only"


def registry() -> Registry[Any]:
    return Registry("thing", GROUP, {"ours": "vivavoce.version:__version__"}, callable_shape)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_name_of_ours_reads_no_entry_points(monkeypatch: pytest.MonkeyPatch):
    def refuse(**_: Any) -> Any:
        raise AssertionError("entry points were read")

    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    things = registry()
    assert "ours" in things
    things.load("ours")
    things.register("of the project", print, "file.py")
    assert things.load("of the project") is print
    with pytest.raises(AssertionError):
        assert "theirs" in things


def test_an_entry_point_is_imported_when_its_name_is_used(site: Path):
    install(site, "viva-one", "1.0", {GROUP: {"theirs": "reg_one:thing"}}, reg_one="def thing(): ...\n")
    things = registry()
    assert list(things) == ["ours", "theirs"]
    assert "reg_one" not in sys.modules
    assert things.load("theirs") is sys.modules["reg_one"].thing


def test_an_unknown_name_has_a_hint_that_knows_plugins(site: Path):
    install(site, "viva-one", "1.0", {GROUP: {"theirs": "reg_hint:thing"}})
    with pytest.raises(UsageError, match=r"unknown thing 'thiers' \(did you mean 'theirs'\?\)"):
        registry().load("thiers")


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("import no_such_thing\n", r"ModuleNotFoundError: No module named 'no_such_thing'"),
        ("import sys\nsys.exit(0)\n", r"SystemExit"),
        ("other = 1\n", r"AttributeError"),
        ("thing = 3\n", r"it must be a class or a function, not an object of class int"),
    ],
)
def test_a_plugin_that_does_not_work_is_named(site: Path, module: str, why: str):
    name = f"reg_broken_{abs(hash(why))}"
    install(site, "viva-broken", "0.3", {GROUP: {"theirs": f"{name}:thing"}}, **{name: module})
    things = registry()
    with pytest.raises(UsageError, match=rf"plug-in 'theirs' \({GROUP}\) of viva-broken 0.3 does not work: .*{why}"):
        things.load("theirs")
    assert things.load("ours")
    [(plugin, problem)] = things.plugins()
    assert (plugin.source, plugin.version) == ("viva-broken", "0.3")
    assert problem


def test_a_plugin_with_the_name_of_a_built_in_is_an_error_that_names_both(site: Path):
    install(site, "viva-clash", "1.0", {GROUP: {"ours": "reg_clash:thing"}})
    with pytest.raises(UsageError, match=r"'ours' .* of viva-clash 1.0 has the name of the built-in thing 'ours'"):
        registry().load("other")
    with pytest.raises(UsageError, match=r"of file.py has the name of the built-in thing 'ours'"):
        registry().register("ours", print, "file.py")


def test_two_plugins_of_one_name_are_an_error_that_names_both(site: Path):
    install(site, "viva-a", "1.0", {GROUP: {"theirs": "reg_a:thing"}})
    install(site, "viva-b", "2.0", {GROUP: {"theirs": "reg_b:thing"}})
    with pytest.raises(UsageError, match=r"of viva-[ab] \d.0 has the name of plug-in 'theirs' .* of viva-[ab] \d.0"):
        registry().load("theirs")
    things = registry()
    things.register("mine", print, "one.py")
    with pytest.raises(UsageError, match=r"of two.py has the name of plug-in 'mine' .* of one.py"):
        things.register("mine", len, "two.py")


def test_a_file_that_is_loaded_again_replaces_its_own_names():
    things = registry()
    things.register("mine", print, "one.py")
    things.forget_file("one.py")
    things.register("mine", len, "one.py")
    assert things.load("mine") is len


def test_what_a_plugin_raises_when_called_names_it():
    things = registry()
    things.register("mine", print, "one.py")
    with pytest.raises(UsageError, match=r"plug-in 'mine' .* does not work: ValueError: boom"), things.guard("mine"):
        raise ValueError("boom")
    with pytest.raises(ValueError, match="boom"), things.guard("ours"):
        raise ValueError("boom")
