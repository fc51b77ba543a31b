"""A check in a file of another tool, then bent out of shape: it is taken over, or the account says what is missing."""

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.bending import Bent, every_bend
from tests.unit.imports.example_files import DATA, FILES, imported

from vivavoce.errors import VivaError
from vivavoce.imports.importing import Account
from vivavoce.model.json_value import is_array

WORD = "hunter2"
CHECKS = [
    ("skills", "The amount in the note is 30 EUR"),
    ("promptfoo", "as an ai"),
    ("promptfoo", "Says that the money is on its way"),
    ("adk", "find_order"),
    ("deepeval", "The refund is on its way."),
    ("agenteval", "The agent asks for the order number."),
    ("openai-api", "Grade"),
    ("evalview", "delete_order"),
    ("evalview", "30 EUR"),
    ("tau2", "refund"),
    ("pydantic-evals", "Says when the money arrives"),
    ("inspect", "refunded"),
    ("langsmith", "It was paid."),
]
NO_CHECK = ("id", "name", "description", "input", "messages", "metadata")


def planted(kind: str, check: str) -> Any:
    """The example of a kind, with the word in one of its checks."""
    file = DATA / FILES[kind]
    text = file.read_text()
    value: Any = [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else yaml.safe_load(text)
    plain = json.dumps(value)
    whole = json.dumps(check)
    return json.loads(plain.replace(*((whole, json.dumps(WORD)) if whole in plain else (check, WORD)), 1))


@cache
def bent_files(kind: str, check: str) -> list[Bent]:
    """Those in which somebody wrote another check beside it are left out: the word may be a name there."""
    bends = every_bend(planted(kind, check), WORD)
    return [bent for bent in bends if not bent.how.startswith("told as another")]


def accounts(folder: Path, kind: str, value: Any) -> list[Account]:
    file = folder / "given" / Path(FILES[kind]).name
    shutil.copytree((DATA / FILES[kind]).parent, file.parent)
    if file.suffix == ".jsonl":
        file.write_text("\n".join(map(json.dumps, value if is_array(value) else [value])))
    else:
        file.write_text(json.dumps(value))  # YAML, too
    return imported(folder, kind, file, partial=True)


def checks_of(account: Account) -> Iterator[str]:
    for found in account.cases:
        yield json.dumps({name: value for name, value in found.case.items() if name not in NO_CHECK})


def is_whole(account: Account) -> bool:
    return account.is_whole and not account.notes and not account.checks("different")


@pytest.mark.parametrize(("kind", "check"), CHECKS)
def test_the_check_is_taken_over(kind: str, check: str, tmp_path: Path):
    made = accounts(tmp_path, kind, planted(kind, check))
    assert any(WORD in each for account in made for each in checks_of(account))


@pytest.mark.parametrize(("kind", "check"), CHECKS)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_bent_file_never_loses_a_check_in_silence(
    kind: str, check: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
):
    bent = data.draw(st.sampled_from(bent_files(kind, check)))
    try:
        made = accounts(tmp_path_factory.mktemp("bent"), kind, bent.value)
    except VivaError:
        return
    is_taken = any(WORD in each for account in made for each in checks_of(account))
    assert is_taken or not all(map(is_whole, made)), (bent.how, bent.path)
