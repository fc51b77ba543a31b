"""Problems in the words of whoever reads them."""

from vivavoce.app.flag_words import reworded
from vivavoce.errors import ManyProblems, UsageError

WORDS = {"-n": "agent=", "--name": "agent=", "--run": "pattern=", "--run-all": "all="}


def test_flags_in_hints_and_places_are_replaced():
    problem = UsageError("unknown agent 'x'", at="-n", hint="give -n or --run; --runner and --run-all are others")
    assert str(reworded(problem, WORDS)) == (
        "agent: unknown agent 'x' (give agent= or pattern=; --runner and all= are others)"
    )


def test_every_one_of_many_is_reworded():
    many = ManyProblems([UsageError("a", at="-n"), UsageError("b", hint="--run")])
    assert str(reworded(many, WORDS)) == "agent: a\nb (pattern=)"
