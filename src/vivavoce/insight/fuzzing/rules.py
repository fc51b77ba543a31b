"""What must hold for a hostile line: the universal rules, the case's own prohibitions, and the project's rules."""

from collections.abc import Sequence

from msgspec import UNSET, structs

from vivavoce.insight.fuzzing.variants import Variant
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import AssertionSpec, Case, ConversationRules
from vivavoce.model.json_value import JsonObject
from vivavoce.plugins.catalog import ASSERTIONS

UNIVERSAL = "well_behaved"


def judged_by_rules(variant: Variant, universal: AssertionSpec, rules: Sequence[AssertionSpec]) -> Case:
    """A hostile variant with the checks that must hold; the other checks of its case are left out."""
    case = variant.case
    return structs.replace(
        case,
        turns=tuple(structs.replace(turn, assertions=_prohibitions(turn.assertions)) for turn in case.turns),
        assertions=_prohibitions(case.assertions),
        final_assertions=(*_prohibitions(case.final_assertions), *rules, universal),
        expected=UNSET,
        checkpoints=(),
        simulator=None,
        min_score=None,
        rules=_to_the_end(case.rules),
    )


def universal_check(case: Case, card: AgentCard, never_said: Sequence[str]) -> AssertionSpec:
    """The universal rules as a check that a case file can hold."""
    tools = [(tool.name, tool.parameters) for tool in (*card.tools, *case.frontend_tools)]
    fields: JsonObject = {}
    if schemas := {name: schema for name, schema in tools if schema}:
        fields["arguments"] = schemas
    if never_said:
        fields["never_said"] = list(never_said)
    return AssertionSpec(type=UNIVERSAL, fields=fields, written={"type": UNIVERSAL, **fields})


def _prohibitions(checks: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    """The checks about what must never be called."""
    return tuple(
        check
        for check in checks
        if not check.negate
        and check.type in ASSERTIONS
        and getattr(ASSERTIONS.load(check.type), "is_never_outvoted", None) is True
    )


def _to_the_end(rules: ConversationRules) -> ConversationRules:
    return structs.replace(rules, interactive=False, on_missing_input="end" if rules.multi_turn else None)


def judged_as_before(variant: Variant) -> Case:
    """A variant with the same meaning, with the checks of its case; a snapshot holds only for the case itself."""
    case = variant.case

    def kept(checks: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
        return tuple(check for check in checks if check.type != "snapshot")

    return structs.replace(
        case,
        turns=tuple(structs.replace(turn, assertions=kept(turn.assertions)) for turn in case.turns),
        assertions=kept(case.assertions),
        final_assertions=kept(case.final_assertions),
    )
