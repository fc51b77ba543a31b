"""A check in a file of another tool, then bent out of shape: it is taken over, or the account says what is missing."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.bending import OTHER, Bent, bend, every_bend
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


def told(made: list[Account]) -> Counter[str]:
    """Everything that the accounts say, without the folder of this run."""
    said: Counter[str] = Counter()
    for account in made:
        said.update(remark.what for found in account.cases for remark in found.remarks if remark.what)
        said.update(refused.what for refused in account.refused)
        said.update(re.sub(r"^\S*/given/", "", str(note)) for note in account.notes)
    return said


@cache
def told_before(kind: str, check: str) -> Counter[str]:
    """What the account says of the file as it was: a check that got lost must add to it."""
    with TemporaryDirectory() as folder:
        return told(accounts(Path(folder), kind, planted(kind, check)))


@pytest.mark.parametrize(("kind", "check"), CHECKS)
def test_the_check_is_taken_over(kind: str, check: str, tmp_path: Path):
    made = accounts(tmp_path, kind, planted(kind, check))
    assert any(WORD in each for account in made for each in checks_of(account))


@pytest.mark.parametrize(("kind", "check"), CHECKS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), twice=st.booleans())
def test_a_bent_file_never_loses_a_check_in_silence(
    kind: str, check: str, data: st.DataObject, twice: bool, tmp_path_factory: pytest.TempPathFactory
):
    bent = data.draw(st.sampled_from(bent_files(kind, check))).value
    if twice:
        once, bent = bent, data.draw(st.composite(lambda draw: bend(draw, bent, WORD))())
        if OTHER in json.dumps(bent):
            bent = once
    try:
        made = accounts(tmp_path_factory.mktemp("bent"), kind, bent)
    except VivaError:
        return
    is_taken = any(WORD in each for account in made for each in checks_of(account))
    assert is_taken or told(made) - told_before(kind, check), bent
