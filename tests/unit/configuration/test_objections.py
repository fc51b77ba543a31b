"""All errors of a value for a type, field by field."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from vivavoce.configuration.objections import objections
from vivavoce.notation.steps import written_path


class Server(Struct, forbid_unknown_fields=True):
    port: Annotated[int, Meta(ge=1)]
    host: str = ""


class Settings(Struct, forbid_unknown_fields=True):
    servers: dict[str, Server] = {}
    names: list[str] | str = []
    one: Server | None = None
    quick: bool = False


def found(value: Any) -> list[tuple[tuple[str | int, ...], str, str | None]]:
    return list(objections(value, Settings, ()))


def test_a_value_that_fits_has_none():
    assert found({"servers": {"a": {"port": 1}}, "names": ["x"], "one": None, "quick": True}) == []


def test_every_error_has_its_own_place():
    wrong = found({"servers": {"a": {"port": 0}, "b": {"prt": 1}}, "names": ["x", 3], "quick": "no", "qick": True})
    assert [steps for steps, _, _ in wrong] == [
        ("servers", "a", "port"),
        ("servers", "b", "port"),
        ("servers", "b", "prt"),
        ("names", 1),
        ("quick",),
        ("qick",),
    ]
    said = {written_path(steps): (what, hint) for steps, what, hint in wrong}
    assert said["servers.b.prt"] == ("servers.b: unknown field 'prt'", "did you mean 'port'?")
    assert said["servers.b.port"] == ("servers.b: 'port' is missing", None)
    assert said["names[1]"] == ("names[1]: wanted text, found 3", "put it in quotes")
    assert said["quick"][0] == 'quick: wanted true or false, found "no"'
    assert said["qick"] == ("unknown field 'qick'", "did you mean 'quick'?")


def test_of_several_types_the_one_that_was_meant_is_checked():
    assert [steps for steps, _, _ in found({"one": {"port": "x"}})] == [("one", "port")]
    assert [steps for steps, _, _ in found({"names": {"a": 1}})] == [("names",)]


def test_fields_checked_elsewhere_are_hinted_at():
    ((_, _, hint),) = objections({"agnts": {}}, Settings, (), also_known=("agents",))
    assert hint == "did you mean 'agents'?"


class Secretive(Struct):
    headers: dict[str, str] = {}
    env: dict[str, str] = {}
    api_key: str = ""
    model: str = ""


def test_a_value_that_may_be_a_secret_is_not_shown():
    wrong = {"headers": {"X-Key": 12345678}, "env": {"A": 12345678}, "api_key": 12345678, "model": 5}
    said = [what for _, what, _ in objections(wrong, Secretive, ())]
    assert said == [
        "headers.X-Key: wanted text",
        "env.A: wanted text",
        "api_key: wanted text",
        "model: wanted text, found 5",
    ]
