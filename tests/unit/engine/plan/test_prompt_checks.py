import pytest

from vivavoce.engine.plan.prompt_checks import refuse_unknown_names
from vivavoce.errors import UsageError
from vivavoce.model.agent_card import WantedName
from vivavoce.model.case import CallOptions, Case, ScriptedTurn

PERSONA = WantedName("persona", "{{ persona }}", "prompts.yml:2")


def case(metadata: dict[str, str], *turns: dict[str, str] | None) -> Case:
    return Case(
        id="T1",
        options=CallOptions(metadata=metadata),
        turns=tuple(
            ScriptedTurn(content="hi", options=None if own is None else CallOptions(metadata=own))
            for own in turns or (None,)
        ),
    )


def problems(examined: Case, *wants: WantedName) -> list[str]:
    with pytest.raises(UsageError) as caught:
        refuse_unknown_names(examined, wants or [PERSONA])
    return [str(problem) for problem in caught.value.each()]


def test_what_the_case_or_each_turn_gives_is_known():
    refuse_unknown_names(case({"persona": "a clerk"}), [PERSONA])
    refuse_unknown_names(case({}, {"persona": "a"}, {"persona": "b"}), [PERSONA])
    refuse_unknown_names(case({"persona": "x"}), [WantedName("PERSONA", "$CTX.PERSONA", "p.yml:1")])


def test_a_name_that_one_turn_lacks_is_unknown():
    assert len(problems(case({}, {"persona": "a"}, None))) == 1


def test_the_problem_says_where_which_and_what_to_do():
    (told,) = problems(case({}))
    assert told.startswith("prompts.yml:2: the prompt uses {{ persona }}, which nothing fills in (give the case")
    assert '{{ persona | default("") }}' in told


def test_a_near_name_of_the_cases_own_metadata_comes_first():
    (told,) = problems(case({"persna": "x"}), WantedName("persona", "{{ persona }}", "p.yml:1", "did you mean 'user'?"))
    assert told.endswith("(did you mean 'persna'?)")


def test_every_unknown_name_is_reported():
    assert len(problems(case({}), PERSONA, WantedName("goal", "{{ goal }}", "prompts.yml:4"))) == 2
