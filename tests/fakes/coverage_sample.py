"""What tests of coverage reports show."""

from vivavoce.model.coverage import Coverage, CoverageItem, Element, Group

LONG = "tests/a_folder/with_a_long_name/conversations_of_customers.jsonl::free-conversation › asks-confirmation"


def item(group: Group, name: str, aspect: str, times: int = 0, by: str | None = None) -> CoverageItem:
    example = "a.yaml::T1" if times else None
    return CoverageItem(element=Element(group, name, aspect), conversations=times, example=example, checked_by=by)


COVERAGE = Coverage(
    items=(
        item(Group.TOOL, "refund", "called", 2, "a.yaml::T1"),
        item(Group.TOOL, "refund", "returned", 2),
        item(Group.TOOL, "refund", "failed"),
        item(Group.PARAMETER, "refund.why", "given", 1),
        *(item(Group.PARAMETER, "refund.why", f"= a reason number {at}") for at in range(9)),
        item(Group.CHECKPOINT, LONG, "reached", 1, "a.yaml::T1"),
        item(Group.PAIR, "<find> → refund", "seen", 1),
    ),
    cases=1,
    conversations=2,
    notes=("the agent does not list its tools",),
)

NOTHING = Coverage(items=(), cases=1, conversations=1)
"""An agent of which nobody knows what it could do."""
