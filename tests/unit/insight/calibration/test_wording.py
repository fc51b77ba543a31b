"""A judge's numbers in words."""

from tests.unit.insight.calibration.test_measures import only, rating, table

from vivavoce.insight.calibration.wording import measure_lines


def test_the_lines_of_a_judge():
    assert list(measure_lines(only(table(20, 5, 10, 15)))) == [
        "agrees with people in 70.0 % of 50 conversations",
        "kappa 0.40 (95 % interval 0.15 to 0.65); 1 is full agreement, 0 is chance",
        "both pass 20, both fail 15, judge too lenient 5, judge too strict 10",
    ]


def test_noise_and_bias_say_what_to_do():
    told = "\n".join(measure_lines(only([rating(True, True, False), rating(False, True, False)])))
    assert "25.0 % of its answers differ from people by noise" in told
    assert "50.0 % by bias" in told
