"""Finding the part of an answer that a path names."""

from msgspec import UNSET
from tests.fakes.evidence import answered, call, evidence, turn

from vivavoce.assertions.lookup import part_at


async def test_a_part_of_structured_output():
    part = await part_at("$.a[1]", answered({"a": [1, 2]}))
    assert part is not None
    assert (part.values, part.value, part.where, part.notes) == ([2], 2, "output", {})


async def test_json_inside_a_text_counts_and_mending_it_is_noted():
    found = await part_at("$.a", answered('Here: ```json\n{"a": 1}\n```'))
    assert found is not None
    assert found.value == 1
    mended = await part_at("$.a", answered('{"a": 1'))
    assert mended is not None
    assert (mended.value, mended.notes) == (1, {"repaired": True})


async def test_a_path_that_leads_nowhere_is_not_the_same_as_no_json():
    part = await part_at("$.b", answered({"a": 1}))
    assert part is not None
    assert (part.values, part.value) == ([], None)
    assert await part_at("$.b", answered("only words")) is None
    assert await part_at("$", answered(5)) is None


async def test_several_values_are_a_list():
    part = await part_at("$.a[*]", answered({"a": [1, 2]}))
    assert part is not None
    assert (part.value, part.leads_to_one) == ([1, 2], False)


async def test_final_assertions_look_into_the_state_and_then_into_results_newest_first():
    turns = (
        turn("x", call("old", result={"id": 1, "only_old": True}), call("new", result={"id": 2})),
        turn("done", state={"status": "paid"}),
    )
    final = evidence(*turns, scope="final")
    for path, value, where in [
        ("$.status", "paid", "state"),
        ("$.id", 2, "result of new"),
        ("$.only_old", True, "result of old"),
    ]:
        part = await part_at(path, final)
        assert part is not None
        assert (part.value, part.where, part.notes) == (value, where, {"found_in": where})
    assert await part_at("$.status", evidence(*turns, scope="case")) is None


async def test_a_call_without_a_result_is_passed_over():
    part = await part_at("$.id", evidence(turn("x", call("pay", result=UNSET)), scope="final"))
    assert part is None
