"""The history of a turn: what snapshots may change, and what they may not."""

from typing import Any

from tests.fakes.agui_server import call, text

from vivavoce.model.message import Message
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder

Event = dict[str, Any]


def told(*runs: list[Event], resumes: bool = False, **before: Any) -> TurnBuilder:
    builder = TurnBuilder(**{"user_id": "u2", "user_text": "go", **before})
    for events in runs:
        builder.next_run(resumes=resumes)
        for event in events:
            builder.handle(event["type"], event, 0.0)
        builder.calls.end_run()
    return builder


def history(builder: TurnBuilder) -> list[tuple[str | None, str]]:
    return [(message.id, message.role) for message in builder.messages.history(builder.calls)]


def snapshot(*messages: tuple[str, str, str]) -> Event:
    told = [{"id": name, "role": role, "content": content} for name, role, content in messages]
    return {"type": "MESSAGES_SNAPSHOT", "messages": told}


def test_the_turn_begins_after_its_own_user_message_even_under_another_id() -> None:
    events = [
        snapshot(
            ("x1", "user", "before"),
            ("x2", "assistant", "Earlier."),
            ("x3", "user", "go"),
            ("x4", "assistant", "First."),
            ("x5", "user", "a note the server made up"),
            ("x6", "assistant", "Second."),
        )
    ]
    assert told(events).messages.texts() == ["First.", "Second."]


def test_odd_parts_of_a_snapshots_message_are_passed_over() -> None:
    parts = ["plain", 5, None, {"type": "text", "text": "Fine."}]
    said = {"id": "m1", "role": "assistant", "content": parts}
    assert told([{"type": "MESSAGES_SNAPSHOT", "messages": ["odd", said]}]).messages.texts() == ["Fine."]


def test_the_last_of_two_equal_lines_is_this_turns() -> None:
    events = [
        snapshot(("x1", "user", "go"), ("x2", "assistant", "One."), ("x3", "user", "go"), ("x4", "assistant", "Two."))
    ]
    assert told(events).messages.texts() == ["Two."]


def test_what_earlier_turns_said_is_not_said_again() -> None:
    """A turn that only answers an interrupt has no user message to begin after."""
    events = [snapshot(("u1", "user", "go"), ("m1", "assistant", "Earlier."), ("m2", "assistant", "Now."))]
    builder = told(events, user_id="", user_text="", earlier_texts={"u1": "go", "m1": "Earlier."})
    assert builder.messages.texts() == ["Now."]
    assert history(builder) == [("m2", "assistant")]


def test_only_a_run_that_answers_an_interrupt_tells_texts_again() -> None:
    again = [*text("Earlier.", "m1"), *text("Now.", "m2")]
    builder = told(again, earlier_texts={"m1": "Earlier."}, resumes=True)
    assert builder.messages.texts() == ["Now."]
    assert history(builder) == [("m2", "assistant")]
    reused = told(again, earlier_texts={"m1": "Earlier."})
    assert reused.messages.texts() == ["Earlier.", "Now."]


def test_a_message_that_a_second_run_tells_again_is_not_doubled() -> None:
    builder = told(text("Let me see.", "m1"), text("Let me see.", "m1"))
    assert [message.content for message in builder.messages.history(builder.calls)] == ["Let me see."]


def test_a_snapshot_that_knows_nothing_of_the_turn_changes_nothing() -> None:
    builder = told([*text("Hi.", "m1"), snapshot(("u2", "user", "go"))])
    assert history(builder) == [("m1", "assistant")]


def test_calls_and_results_that_a_snapshot_leaves_out_stay_in_the_history() -> None:
    builder = told(
        [
            *call("c1", "pay", "{}", "paid"),
            *text("Paid.", "m1"),
            snapshot(("u2", "user", "go"), ("x", "assistant", "Paid.")),
        ]
    )
    assert sorted(history(builder), key=str) == [("c1", "assistant"), ("c1-r", "tool"), ("x", "assistant")]


def test_a_message_still_being_written_goes_on_after_a_snapshot() -> None:
    start, content, end = text("Hel", "m1")
    rest = {**content, "delta": "lo."}
    builder = told([start, content, snapshot(("u2", "user", "go"), ("m1", "assistant", "Hel")), rest, end])
    assert builder.messages.texts() == ["Hello."]
    assert builder.messages.history(builder.calls) == (Message(role="assistant", id="m1", content="Hello."),)


def test_words_that_only_the_snapshot_has_are_known() -> None:
    said = snapshot(("u2", "user", "go"), ("m1", "assistant", "Hi."), ("m2", "assistant", "I deleted it."))
    assert told([*text("Hi.", "m1"), said]).messages.only_in_snapshot() == ["I deleted it."]
    assert told([said]).messages.only_in_snapshot() == []
