import pytest

from vivavoce.project.ci import in_ci


@pytest.mark.parametrize(("value", "is_ci"), [("true", True), ("1", True), ("", False), ("0", False), ("False", False)])
def test_the_variable_every_ci_system_sets_decides(value: str, is_ci: bool):
    assert in_ci({"CI": value}) is is_ci


def test_without_the_variable_a_person_may_sit_here():
    assert not in_ci({})
