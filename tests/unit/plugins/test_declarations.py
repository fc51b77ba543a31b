"""What kinds of agents and report formats declare: built from a class or from its name, and true of all of them."""

import io
from typing import Any

import msgspec
import pytest

from vivavoce.plugins.catalog import TARGETS
from vivavoce.plugins.declarations import AgentFields, ReportFormat, ServeFields, TargetKind, imported
from vivavoce.protocols import TargetSpec

ANY: Any = None


class Built:
    def __init__(self, spec: TargetSpec, surroundings: object) -> None:
        self.spec = spec


@pytest.mark.parametrize("target", [Built, f"{__name__}:Built"])
def test_a_kind_builds_its_target_from_a_class_or_from_its_name(target: Any):
    spec = TargetSpec(id="x", kind="mine")
    built: Any = TargetKind(name="mine", target=target).build(spec, ANY)
    assert (type(built).__name__, built.spec) == ("Built", spec)


@pytest.mark.parametrize("write", [msgspec.json.encode, "msgspec.json:encode"])
def test_a_format_has_its_writer_from_a_function_or_from_its_name(write: Any):
    assert ReportFormat(name="mine", write=write).writer is msgspec.json.encode


def test_a_name_inside_a_module_is_imported():
    assert imported("io:StringIO") is io.StringIO
    with pytest.raises(AttributeError):
        imported("io:NoSuchThing")


def test_a_kind_says_nothing_about_itself_until_it_is_declared():
    """The defaults are the cautious ones: nothing is repeated, no call is taken for seen."""
    kind = TargetKind(name="mine", target=Built)
    assert (kind.may_repeat, kind.replays, kind.shows_calls) == (False, False, "when_it_has_some")
    assert not kind.takes_workspace({})
    assert kind.struck_at == ()


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_address_of_a_kind_is_a_field_with_its_name(name: str):
    kind = TARGETS.load(name)
    if kind.fields is not None and kind.read_reference is None and kind.by_reference:
        assert kind.name in kind.fields.__struct_encode_fields__


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"max_parallel": 0}, "max_parallel"),
        ({"otel": {"listen": 70000}}, "listen"),
        ({"serve": {"cmd": "x"}}, "ready"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_wrong_fields_of_an_agent_are_refused(fields: dict[str, Any], wrong: str):
    with pytest.raises(msgspec.ValidationError, match=wrong):
        msgspec.convert(fields, AgentFields)


def test_a_server_is_kept_for_the_run_and_never_shared_unasked():
    fields = msgspec.convert({"cmd": "x", "ready": 80}, ServeFields)
    assert (fields.per, fields.reuse) == ("run", False)
