import re
import time

import pytest

from vivavoce.errors import CallFailed
from vivavoce.project.redaction import Secrets
from vivavoce.targets.agent_package.prompts import Prompt, filled, filled_prompts, wanted_names
from vivavoce.targets.call_payload import Context

WORDS = {"name": "Keeper", "description": "keeps things", "chat": {"prompts": ["Hello?"]}}


def fill(text: str, secrets: Secrets | None = None, **ctx) -> str:
    return filled(Prompt("system", text, place="prompts.yml:1"), Context(ctx), secrets or Secrets(), WORDS)


def wanted(text: str) -> dict[str, str | None]:
    return {name.written: name.hint for name in wanted_names([Prompt("system", text, place="prompts.yml:1")], WORDS)}


def test_metadata_fills_the_template():
    metadata = {"persona": "a clerk", "tools": ["a", "b"]}
    assert fill("You are {{persona}}: {{ tools }} {{ metadata.persona }}", metadata=metadata) == (
        'You are a clerk: ["a","b"] a clerk'
    )


def test_the_callers_identity_is_there():
    assert fill("{{ user }} {{ team }} {{ locale }}", user_id="ann", team_id="ops", locale="de") == "ann ops de"
    assert fill("$CTX.USER_ID $CTX.colour $CTX.NOPE", user_id="ann", metadata={"colour": 1}) == "ann 1 $CTX.NOPE"


def test_the_packages_own_words_fill_in_and_metadata_wins():
    assert fill("{{ name }}: {{ chat.prompts.0 }}") == "Keeper: Hello?"
    assert fill("{{ name }}", metadata={"name": "Ann"}) == "Ann"


def test_yaos_context_names_are_filled():
    assert fill("$CTX.ASSISTANT_NAME $CTX.CLIENT_TYPE", client={"type": "test"}) == "Keeper test"
    assert fill("$CTX.date") == time.strftime("%Y-%m-%d")


def test_names_that_only_metadata_can_fill_are_wanted():
    assert wanted("{{ persona }} {{ metadata.zip }} $CTX.COLOUR") == {
        "{{ persona }}": None,
        "{{ metadata.zip }}": None,
        "$CTX.COLOUR": None,
    }


def test_a_misspelt_name_comes_with_the_one_that_was_meant():
    assert wanted("{{ descripton }} $CTX.USERID") == {
        "{{ descripton }}": "did you mean 'description'?",
        "$CTX.USERID": "did you mean 'USER_ID'?",
    }


def test_names_that_are_known_or_may_be_missing_are_not_wanted():
    known = "{{ name }} {{ locale }} {{ ctx.user_id }} $CTX.USER_ID $CTX.THEME $ENV.X $SYS.DATE"
    missing = "{{ a | default('x') }} {% if b %}{{ b }}{% endif %} {{ c or 'x' }} {{ 'x' if d is defined else d }}"
    assert wanted(known + missing) == {}


def test_unknown_names_stay_as_they_are_written():
    assert fill("{{ nobody }} $SYS.NOPE") == "{{ nobody }} $SYS.NOPE"


def test_the_clock_is_read():
    assert fill("$SYS.YEAR") == time.strftime("%Y")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", fill("$SYS.DATETIME"))


def test_the_environment_fills_in_and_is_secret(monkeypatch):
    monkeypatch.setenv("VIVA_TEST_NAME", "hush-hush")
    secrets = Secrets()
    assert fill("key $ENV.VIVA_TEST_NAME.", secrets) == "key hush-hush."
    assert secrets.mask("hush-hush") == "***"


def test_what_metadata_brings_in_is_never_looked_up(monkeypatch):
    monkeypatch.setenv("VIVA_TEST_NAME", "hush-hush")
    assert fill("{{ wish }}", metadata={"wish": "$ENV.VIVA_TEST_NAME {{ user }}"}) == "$ENV.VIVA_TEST_NAME {{ user }}"


def test_a_template_that_fails_names_its_prompt():
    with pytest.raises(CallFailed, match=r"prompts.yml:1: bad template: ") as caught:
        fill("{{ nobody.name }}")
    assert caught.value.fault == "agent"


def test_prompts_become_messages_in_order():
    prompts = [Prompt("system", "be {{ mood }}"), Prompt("user", "hi", "ann")]
    made = filled_prompts(prompts, Context(metadata={"mood": "kind"}), Secrets(), WORDS)
    assert [(message.role, message.content, message.name) for message in made] == [
        ("system", "be kind", None),
        ("user", "hi", "ann"),
    ]
