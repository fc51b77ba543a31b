import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.errors import UsageError
from vivavoce.net.sendable_headers import refuse_unsendable

CONTROLS = [chr(code) for code in (*range(9), *range(10, 32), 127)]


@settings(deadline=None)
@given(st.text(), st.sampled_from(CONTROLS), st.text())
def test_a_value_with_a_control_character_is_the_tests_mistake_and_never_quoted(before: str, control: str, after: str):
    with pytest.raises(UsageError) as refused:
        refuse_unsendable({"X-Key": f"secret{before}{control}{after}"}, "the agent's headers")
    assert "X-Key" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "X Key", "X:Key", "X\n", "é"])
def test_a_name_that_http_cannot_carry_is_refused(name: str):
    with pytest.raises(UsageError, match="cannot be the name of a header"):
        refuse_unsendable({name: "x"}, "connector 'c'")


@pytest.mark.parametrize("name", ["Content-Length", "content-length", "TRANSFER-ENCODING"])
def test_what_says_how_long_a_request_is_cannot_be_set(name: str):
    with pytest.raises(UsageError, match=f"{name} cannot be set"):
        refuse_unsendable({name: "5"}, "connector 'c'")


def test_a_client_that_sends_ascii_alone_is_spared_other_letters():
    with pytest.raises(UsageError, match="the header X-Key has a letter in it that is not ASCII"):
        refuse_unsendable({"X-Key": "é"}, "MCP server 'm'", ascii_only=True)


def test_everything_else_is_sent():
    refuse_unsendable({"X-Key": "a\tb é", "x_y.z": ""}, "connector 'c'")
