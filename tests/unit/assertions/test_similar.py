import pytest
from tests.fakes.evidence import answered, check

from vivavoce.errors import UsageError
from vivavoce.model.verdict import Outcome


async def test_similar_passes_from_its_threshold_on():
    seen = answered("the quick brown fox")
    near = await check("similar", seen, value="the quick brown fix")
    assert near.passed
    assert near.score == pytest.approx(0.947, abs=0.001)
    strict = await check("similar", seen, value="the quick brown fix", threshold=0.99)
    assert strict.outcome is Outcome.FAILED
    assert strict.reason.startswith("output is 0.95 like 'the quick brown fix', wanted at least 0.99")


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "high"])
async def test_similar_needs_a_threshold_between_nothing_and_all(threshold: object):
    with pytest.raises(UsageError, match="threshold"):
        await check("similar", answered("x"), value="x", threshold=threshold)


async def test_two_empty_texts_are_alike():
    assert (await check("similar", answered(""), value="")).score == 1.0


@pytest.mark.parametrize(
    ("method", "score"), [("ratio", 0.615), ("levenshtein", 0.571), ("rouge", 0.0)]
)  # kitten and sitting, as textbooks have it: distance 3 of 7 letters
async def test_each_method_counts_in_its_way(method: str, score: float):
    verdict = await check("similar", answered("sitting"), value="kitten", method=method)
    assert verdict.score == pytest.approx(score, abs=0.001)


async def test_rouge_counts_the_words_both_have_whatever_their_order():
    """6 and 7 words, 6 of them shared: F = 2 * 6 / 13."""
    verdict = await check(
        "similar", answered("The cat, it sat on the mat"), value="on the mat the cat sat", method="rouge"
    )
    assert verdict.score == pytest.approx(12 / 13)
    assert "(rouge)" in verdict.reason


@pytest.mark.parametrize(
    ("said", "most", "passes", "told"),
    [
        ("sitting", 3, True, "output is 3 edits from 'kitten', wanted at most 3"),
        ("sitting", 2, False, "output is more than 2 edits from 'kitten', wanted at most 2"),
        ("kittens", 1, True, "output is 1 edit from"),
        ("kitten", 0, True, "output is 0 edits from"),
        ("kitten and more", 3, False, "more than 3 edits"),
        ("", 6, True, "6 edits"),
    ],
)
async def test_at_most_so_many_edits(said: str, most: int, passes: bool, told: str):
    found = await check("similar", answered(said), value="kitten", method="levenshtein", max_edits=most)
    assert (found.passed, told in found.reason) == (passes, True), found.reason


@pytest.mark.parametrize(
    "fields",
    [
        {"max_edits": 3},
        {"max_edits": -1, "method": "levenshtein"},
        {"max_edits": 3, "threshold": 0.5, "method": "levenshtein"},
    ],
)
async def test_a_number_of_edits_stands_beside_levenshtein_alone(fields: dict[str, object]):
    with pytest.raises(UsageError, match="max_edits"):
        await check("similar", answered("x"), value="x", **fields)


async def test_an_unknown_method_is_refused():
    with pytest.raises(UsageError, match="method"):
        await check("similar", answered("x"), value="x", method="bleu")


@pytest.mark.parametrize("method", ["ratio", "levenshtein"])
async def test_texts_too_long_to_compare_break_the_check_at_once(method: str):
    found = await check("similar", answered("ab" * 500_000), value="ba" * 500_000, method=method)
    assert found.outcome is Outcome.BROKEN
    assert "1,000,000 and 1,000,000 characters are too long" in found.reason
    assert (await check("similar", answered("ab" * 500_000), value="ab" * 500_000, method=method)).passed


async def test_edits_of_texts_too_long_to_compare_are_broken_unless_their_lengths_tell():
    said, fields = answered("ab" * 500_000), {"method": "levenshtein", "max_edits": 3}
    assert (await check("similar", said, value="ba" * 500_000, **fields)).outcome is Outcome.BROKEN
    assert (await check("similar", said, value="ba" * 400_000, **fields)).outcome is Outcome.FAILED
