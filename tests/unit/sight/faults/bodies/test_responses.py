"""OpenAI's responses end with the event of their status."""

from vivavoce.sight.faults.bodies.responses import RESPONSES
from vivavoce.sight.faults.bodies.shape import Finish, Spoken


def last(finish: Finish) -> str:
    return RESPONSES.events(Spoken(text="No.", finish=finish, model="m-1"))[-1][0]


def test_half_an_answer_is_incomplete():
    assert (last("length"), last("stop")) == ("response.incomplete", "response.completed")


def test_a_refusal_has_events_of_its_own():
    names = [name for name, _ in RESPONSES.events(Spoken(text="No.", finish="refusal", model="m-1"))]
    assert names[3:5] == ["response.refusal.delta", "response.refusal.done"]
