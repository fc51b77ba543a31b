"""A version that does not fit is an error that names both versions."""

import pytest
from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.targets.frameworks.known import FRAMEWORKS
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.frameworks.versions import installed_version, misfit, refuse_older

PYDANTIC_AI = next(each for each in FRAMEWORKS if each.name == "pydantic-ai")


def test_an_older_version_is_refused_with_both_versions():
    refuse_older(PYDANTIC_AI, "1.0.0")
    refuse_older(PYDANTIC_AI, None)
    with pytest.raises(UsageError, match=r"of pydantic-ai 0\.8\.1, and viva reads pydantic-ai 1\.0 and newer \(tested"):
        refuse_older(PYDANTIC_AI, "0.8.1")


def test_the_version_is_that_of_the_first_distribution_there_is():
    found = installed_version(structs.replace(PYDANTIC_AI, distributions=("no-such-thing", "msgspec")))
    assert found is not None
    assert installed_version(structs.replace(PYDANTIC_AI, distributions=("no-such-thing",))) is None


def test_something_our_reader_misses_is_a_version_that_does_not_fit():
    from vivavoce.targets.frameworks.pydantic_ai import read_result

    with pytest.raises(AttributeError) as caught:
        read_result(object(), TurnRecord())
    problem = misfit(structs.replace(PYDANTIC_AI, distributions=("msgspec",)), caught.value)
    assert problem is not None
    assert "does not fit: viva reads pydantic-ai 1.0 and newer" in str(problem)
    assert str(installed_version(structs.replace(PYDANTIC_AI, distributions=("msgspec",)))) in str(problem)


def test_an_object_that_looks_its_attributes_up_itself_does_not_fit_either():
    from vivavoce.targets.frameworks.pydantic_ai import read_result

    class Model:
        def __getattr__(self, name: str) -> object:
            raise AttributeError(f"Model has no attribute {name!r}")

    with pytest.raises(AttributeError) as caught:
        read_result(Model(), TurnRecord())
    assert "does not fit" in str(misfit(PYDANTIC_AI, caught.value))


def test_what_the_user_s_own_code_raises_is_no_misfit():
    with pytest.raises(AttributeError) as caught:
        _ = object().absent  # type: ignore[attr-defined]
    assert misfit(PYDANTIC_AI, caught.value) is None
    assert misfit(PYDANTIC_AI, ValueError("x")) is None
