from typing import Any

import pytest

from vivavoce.plugins.declarations import TargetKind
from vivavoce.targets.openai_kind import ANTHROPIC, OPENAI, OPENAI_RESPONSES


def read(kind: TargetKind, rest: str) -> dict[str, Any]:
    assert kind.read_reference is not None
    return kind.read_reference(rest)


@pytest.mark.parametrize("kind", [OPENAI, OPENAI_RESPONSES, ANTHROPIC], ids=lambda kind: kind.name)
def test_a_reference_is_an_address_a_model_and_fields_of_the_request(kind: TargetKind):
    assert read(kind, "http://h/v1?model=m&temperature=0.5&n=2") == {
        kind.name: "http://h/v1",
        "model": "m",
        "options": {"temperature": 0.5, "n": 2},
    }


def test_the_version_that_azure_wants_stays_in_the_address():
    assert read(OPENAI, "http://h/v1?api-version=2024-06-01&model=m")["openai"] == "http://h/v1?api-version=2024-06-01"


def test_plain_is_a_field_of_the_agent_and_not_of_the_request():
    read_plain = read(OPENAI, "http://h/v1?model=m&plain=true")
    assert (read_plain["plain"], read_plain["options"]) == (True, {})


def test_a_bare_address_is_answered_with_the_reference_it_may_mean():
    assert OPENAI.guess is not None
    assert OPENAI.guess("http://h/v1") == "openai:http://h/v1?model=…"
    assert OPENAI.guess("shop") is None
