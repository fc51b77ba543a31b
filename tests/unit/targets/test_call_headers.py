"""The headers that say on whose behalf an agent is called."""

from vivavoce.model.case import CallOptions, Identity
from vivavoce.targets.call_headers import header_text, identity_headers, option_headers


def test_the_identity_is_sent_and_yao_headers_only_to_yao() -> None:
    who = Identity(user_id="ann", team_id="ops", locale="de-de")
    plain = identity_headers(who)
    assert (plain["x-viva-user"], plain["x-viva-team"], plain["accept-language"]) == ("ann", "ops", "de-de")
    assert "X-Yao-Referer" not in plain
    assert identity_headers(who, yao=True)["X-Yao-Referer"] == who.referer


def test_the_connector_flag_beats_the_options() -> None:
    options = CallOptions(connector="openai.small", search=False)
    assert option_headers(options, None) == {
        "X-Viva-Connector": "openai.small",
        "X-Viva-Options": '{"search":false}',
    }
    assert option_headers(options, "openai.big")["X-Viva-Connector"] == "openai.big"
    assert option_headers(CallOptions(), None) == {}


def test_what_a_header_cannot_carry_is_percent_encoded() -> None:
    assert header_text("plain 100%") == "plain 100%"
    assert header_text("Zoë\n") == "Zo%C3%AB%0A"
