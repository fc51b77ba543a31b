"""What an AG-UI app declares about itself."""

from typing import Any

import msgspec
import pytest

from vivavoce.errors import UsageError
from vivavoce.protocols import TargetSpec
from vivavoce.targets.ag_ui.kind import AG_UI, AG_UI_REPLAY, AgUiFields, AgUiReplayFields


def test_a_bare_web_address_is_taken_for_an_app_and_nothing_else_is():
    assert AG_UI.guess is not None
    assert AG_UI.guess("http://localhost:8000/agent") == "agui:http://localhost:8000/agent"
    assert AG_UI.guess("shop") is None


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://host", ""])
def test_an_address_that_can_never_be_reached_is_refused(address: str):
    assert AG_UI.check_address is not None
    with pytest.raises(UsageError):
        AG_UI.check_address(TargetSpec(id="shop", kind="agui"), {"agui": address})


@pytest.mark.parametrize("kind", [AG_UI, AG_UI_REPLAY])
def test_wrong_front_end_tools_are_refused_before_the_run(kind: Any):
    kind.check_fields["tools"]([{"name": "confirm", "answer": "yes"}])
    with pytest.raises((UsageError, ValueError)):
        kind.check_fields["tools"]([{"answer": "yes"}])


@pytest.mark.parametrize(
    ("fields", "written", "wrong"),
    [
        (AgUiFields, {}, "agui"),
        (AgUiFields, {"agui": "http://x", "envelope": "other"}, "envelope"),
        (AgUiFields, {"agui": "http://x", "agui-replay": "d"}, "agui-replay"),
        (AgUiReplayFields, {}, "agui-replay"),
        (AgUiReplayFields, {"agui-replay": "d", "headers": {}}, "headers"),
    ],
)
def test_wrong_fields_are_refused(fields: Any, written: dict[str, Any], wrong: str):
    with pytest.raises(msgspec.ValidationError, match=wrong):
        msgspec.convert(written, fields)


def test_a_live_app_is_never_asked_twice_and_a_recording_may_be():
    """A run that is sent again may repeat the agent's actions."""
    assert (AG_UI.may_repeat, AG_UI_REPLAY.may_repeat, AG_UI_REPLAY.replays) == (False, True, True)
