import pytest

from vivavoce.statistics.percentiles import percentile


@pytest.mark.parametrize(("percent", "wanted"), [(5, 15), (30, 20), (40, 20), (50, 35), (100, 50)])
def test_the_nearest_rank_is_taken(percent: int, wanted: float):
    # The worked example of the nearest-rank method in the literature.
    assert percentile([15, 20, 35, 40, 50], percent) == wanted


def test_of_nothing_there_is_none():
    assert percentile([], 50) is None
