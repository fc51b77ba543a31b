"""Model providers as the proxy knows them."""

import pytest

from vivavoce.errors import UsageError
from vivavoce.sight.proxy.providers import KNOWN, Provider, providers_of

ROOT = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch):
    for known in KNOWN:
        for name in known.variables:
            monkeypatch.delenv(name, raising=False)


def test_the_variables_lead_clients_to_the_proxy():
    openai = providers_of({}, "shop")["openai"]
    found = openai.environment(ROOT)
    assert found["OPENAI_BASE_URL"] == f"{ROOT}/openai/v1"
    assert found["OPENAI_HOST"] == f"{ROOT}/openai", "clients that add the version themselves"


@pytest.mark.parametrize(
    ("upstream", "path", "url"),
    [
        ("https://api.openai.com/v1", "/v1/chat/completions", "https://api.openai.com/v1/chat/completions"),
        ("https://host/api/v3", "/v1/chat/completions", "https://host/api/v3/chat/completions"),
        ("https://host/", "/v1/chat/completions", "https://host/chat/completions"),
        ("https://host", "/v1/chat/completions", "https://host/v1/chat/completions"),
    ],
)
def test_an_upstream_with_a_version_has_no_second_one(upstream: str, path: str, url: str):
    assert providers_of({"openai": upstream}, "shop")["openai"].url(path) == url


def test_an_upstream_beats_the_environment_which_beats_the_usual_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://from-environment/v1")
    assert providers_of({}, "shop")["openai"].upstream == "https://from-environment/v1"
    assert providers_of({"openai": "https://given/v1"}, "shop")["openai"].upstream == "https://given/v1"


def test_another_name_is_a_plain_http_api_with_a_variable_of_its_own():
    weather: Provider = providers_of({"my-weather": "https://weather.example"}, "shop")["up/my-weather"]
    assert not weather.is_model
    assert weather.environment(ROOT) == {"MY_WEATHER_BASE_URL": f"{ROOT}/up/my-weather"}
    assert weather.url("/today") == "https://weather.example/today"


@pytest.mark.parametrize(
    ("upstream", "said"),
    [
        ({"openai": "api.openai.com"}, "is not a web address"),
        ({"openai": "https://"}, "is not a web address"),
        ({"no name!": "https://x"}, "is not a name for an upstream"),
    ],
)
def test_what_cannot_be_an_upstream_is_refused(upstream: dict[str, str], said: str):
    with pytest.raises(UsageError, match=said):
        providers_of(upstream, "shop")
