"""Which checks hostile variants and those of the same meaning are judged by."""

from tests.fakes.examining import case_of

from vivavoce.insight.fuzzing.hostile import HOSTILE
from vivavoce.insight.fuzzing.rules import judged_as_before, judged_by_rules, universal_check
from vivavoce.insight.fuzzing.variants import Variant
from vivavoce.model.agent_card import AgentCard, ToolSpec

CHECKS = [{"type": "contains", "value": "mug"}, {"type": "forbid", "name": "delete"}, {"type": "snapshot"}]
CASE = case_of(input="hi", expected="x", min_score=0.5, **{"assert": CHECKS})
CARD = AgentCard(id="a", kind="k", tools=(ToolSpec(name="pay", parameters={"type": "object"}), ToolSpec(name="look")))


def test_a_hostile_variant_keeps_what_is_forbidden_and_gets_the_rules():
    universal = universal_check(CASE, CARD, ["canary"])
    case = judged_by_rules(Variant(CASE, CASE, HOSTILE[0], 0, "0:0"), universal, CASE.assertions[:1])
    assert [check.type for check in case.assertions] == ["forbid"]
    assert [check.type for check in case.final_assertions] == ["contains", "well_behaved"]
    assert universal.fields == {"arguments": {"pay": {"type": "object"}}, "never_said": ["canary"]}
    assert case.min_score is None


def test_a_variant_of_the_same_meaning_keeps_its_checks_but_for_snapshots():
    case = judged_as_before(Variant(CASE, CASE, HOSTILE[0], 0, "0:0"))
    assert [check.type for check in case.assertions] == ["contains", "forbid"]
    assert case.min_score == 0.5
