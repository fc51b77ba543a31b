from msgspec import structs
from tests.fakes.evidence import answered, check, evidence, turn

from vivavoce.model.verdict import Outcome


async def test_must_match_looks_at_the_final_text_of_the_turn():
    seen = evidence(turn("All done", texts=("Let me look", "All done")))
    assert (await check("must_match", seen, value="done$")).passed
    verdict = await check("must_match", seen, value="look")
    assert verdict.reason == (
        "text does not match /look/: text is 'All done'; something else that was said does: 'Let me look'"
    )
    assert not verdict.negatable


async def test_data_beside_words_was_said_as_well():
    seen = evidence(turn("All done", data={"amount": 900}))
    assert not (await check("must_not_match", seen, value="900")).passed
    assert not (await check("must_not_match", seen, value="done")).passed


async def test_over_several_turns_any_final_text_may_match():
    seen = evidence(turn("first"), turn("second"), scope="case")
    assert (await check("must_match", seen, value="^first$")).passed
    verdict = await check("must_match", seen, value="third")
    assert verdict.reason == "no turn's text matches /third/: text of turn 2 is 'second'"


async def test_must_not_match_looks_at_every_text():
    seen = evidence(turn("fine", texts=("an error", "fine")), turn("fine"), scope="case")
    verdict = await check("must_not_match", seen, value="error$")
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "text matches /error$/: 'an error' (turn 1)"


async def test_a_single_turn_needs_no_number():
    verdict = await check("must_not_match", evidence(turn("an error")), value="error$")
    assert verdict.reason == "text matches /error$/: 'an error'"


async def test_must_not_match_reaches_over_the_border_of_two_texts():
    seen = evidence(turn("b", texts=("a", "b")))
    assert not (await check("must_not_match", seen, value="a\nb")).passed
    assert (await check("must_not_match", seen, value="c")).passed


async def test_an_agent_that_answers_with_data_has_said_it():
    assert (await check("must_match", answered({"status": "ok"}), value='"status":"ok"')).passed


async def test_a_checkpoint_also_sees_what_the_tools_said():
    checked = structs.replace(evidence(turn("reply"), scope="checkpoint"), output="reply\nfrom a tool")
    assert (await check("must_match", checked, value="from a tool")).passed
    assert not (await check("must_not_match", checked, value="from a tool")).passed
