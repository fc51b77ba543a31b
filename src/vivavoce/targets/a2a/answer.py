"""The agent's answer in a turn: finds it among the places that may hold it, and reads it."""

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_object, text_of
from vivavoce.model.message import AgentReply, ExchangeStatus, Unread
from vivavoce.notation.hidden_calls import calls_in_text, unread
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.a2a.files import described
from vivavoce.targets.a2a.questions import Question, in_words, questions_in
from vivavoce.targets.a2a.spelling import WAITING, Part
from vivavoce.targets.a2a.task_reading import Group, TaskReading

_SPOKE_LAST = frozenset({"failed", "rejected", "canceled"})


class Answer(Struct, frozen=True, kw_only=True):
    """The words, data and files of a turn."""

    text: str = ""
    progress: tuple[str, ...] = ()
    """What was said on the way, when it is not the answer itself."""
    drafts: tuple[str, ...] = ()
    """The words of artifacts that came before a question or a failure."""
    beside: tuple[Part, ...] = ()
    """Data and files outside the place that the answer was read from."""
    data: JsonArray = []
    files: list[JsonObject] = []
    thoughts: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


def answer_in(reading: TaskReading) -> Answer:
    """Reads the reply of a turn that has ended, or what there is of one that has not."""
    history = reading.new_history()
    artifacts = reading.new_artifacts()
    asks = _asks(reading)
    waits = reading.state in WAITING
    if reading.last_said is not None and (waits or reading.state in _SPOKE_LAST):
        groups = [reading.last_said]
    else:
        no_place: list[Group] = []
        last = [] if reading.last_said is None else [reading.last_said]
        places = (artifacts, last, list(reading.messages.values()), history, reading.said)
        groups = next((place for place in places if any(map(_says, place))), no_place)
    shown = [part for group in groups for part in group.parts]
    text = "\n".join(filter(None, map(_text, groups))).removesuffix("\n")
    progress = _progress(reading.said, text) if groups is not reading.said else ()
    drafts = tuple(words for group in artifacts if groups != artifacts and (words := _text(group)))
    others = [*reading.messages.values(), *history, *reading.replaced]
    asked = {id(part) for part in shown if asks and questions_in([part])}
    return Answer(
        text=text,
        progress=progress,
        drafts=(*drafts, *_words_beside(others, (*progress, *drafts, text))),
        beside=_parts_beside([*artifacts, *reading.said, *others], shown),
        data=[_structured(part) for part in shown if part.kind == "data" and id(part) not in asked],
        files=[described(part.value) for part in shown if part.kind == "file" and is_object(part.value)],
        thoughts=tuple(str(part.value) for part in shown if part.kind == "text" and part.is_thought),
        questions=asks or ((in_words(reading.task_id, reading.state, text),) if waits else ()),
    )


def reply_of(reading: TaskReading, answer: Answer) -> AgentReply:
    """The reply of a turn whose exchange worked. What the task's state means for it is added by the session."""
    open_questions = tuple(question.interrupt for question in answer.questions if question.asked_by != "words")
    waits = reading.state in WAITING
    in_files = [str(file["text"]) for file in answer.files if file.get("text")] if answer.text or answer.data else []
    before = (*answer.progress, *answer.drafts, *in_files)
    return AgentReply(
        text=answer.text,
        texts=(*before, answer.text) if before else (),
        data=_data(answer, waits=waits),
        calls=reading.calls.made(),
        late_results=reading.calls.completed_late(),
        awaiting=True if waits else None,
        input_hint=_hint(answer) if waits else None,
        interrupts=open_questions,
        state=_state(reading, answer),
        ended_ms=reading.ended_ms,
        finish_reason=reading.state or None,
        usage=reading.usage(),
        status=ExchangeStatus.INTERRUPTED if open_questions else ExchangeStatus.SUCCESS,
        violations=tuple(dict.fromkeys(reading.violations)),
        trace=tuple({"type": "reasoning", "text": thought} for thought in answer.thoughts),
        unread=tuple(dict.fromkeys((*reading.unread, *reading.calls.unread, *_doubts(reading, answer)))),
        shows_calls=reading.calls.has_a_place,
    )


def _asks(reading: TaskReading) -> tuple[Question, ...]:
    """The questions that a waiting task asks by data parts of its status or of an artifact."""
    if reading.state not in WAITING:
        return ()
    in_artifacts = [part for group in reading.new_artifacts() for part in group.parts]
    return tuple(questions_in(reading.asked) or questions_in(in_artifacts))


def _says(group: Group) -> bool:
    """Whether there is anything in it that could be an answer."""
    return any(part.kind != "unknown" for part in group.parts)


def _text(group: Group) -> str:
    """The words of one artifact or message: streamed ones come as one part for each token, so nothing goes between."""
    return "".join(str(part.value) for part in group.parts if part.kind == "text" and not part.is_thought)


def _progress(said: list[Group], text: str) -> tuple[str, ...]:
    """What was said while working, unless it is the answer itself, whole or token by token."""
    texts = [words for group in said if (words := _text(group))]
    if "".join(texts).strip() == text.strip():
        return ()
    return tuple(words for words in texts if words.strip() != text.strip())


def _words_beside(groups: list[Group], told: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of messages and of replaced artifacts that are nowhere else; servers repeat much."""
    known = ["".join(told), "\n".join(told)]
    texts = dict.fromkeys(words for group in groups if (words := _text(group).strip()))
    return tuple(words for words in texts if not any(words in each for each in known))


def _parts_beside(groups: list[Group], shown: list[Part]) -> tuple[Part, ...]:
    parts = [part for group in groups for part in group.parts if part.kind in ("data", "file")]
    values = [part.value for part in shown]
    return tuple(part for part in parts if part.value not in values and not questions_in([part]))


def _structured(part: Part) -> JsonValue:
    """The data of a part. pydantic-ai puts a structured result under `result`, with its schema beside it."""
    data = part.value
    if is_object(data) and data.keys() == {"result"} and "json_schema" in part.metadata:
        return data["result"]
    return data


def _data(answer: Answer, *, waits: bool) -> JsonValue | UnsetType:
    """The structured output: the data parts; the files where there is nothing else. A question is asked in words."""
    if waits and answer.text:
        return UNSET
    if answer.data:
        return answer.data[0] if len(answer.data) == 1 else answer.data
    return {"files": answer.files} if answer.files and not answer.text else UNSET


def _state(reading: TaskReading, answer: Answer) -> JsonValue | UnsetType:
    """Everything beside the words, where final assertions look: files, data and the task's state."""
    if not (answer.files or answer.data):
        return UNSET
    found: JsonObject = {"task_state": reading.state}
    if answer.data:
        found["data"] = answer.data
    if answer.files:
        found["files"] = answer.files
    return found


def _hint(answer: Answer) -> str | None:
    asked = [text_of(each.interrupt.message) for each in answer.questions if each.interrupt.message]
    return "\n".join(asked) or answer.text or None


def _doubts(reading: TaskReading, answer: Answer) -> list[Unread]:
    found = [
        suspected_call(text, "the text: a call that the server did not take out")
        for text in (*answer.progress, *answer.drafts, answer.text)
        if calls_in_text(text)
    ]
    for part in (part for group in (*reading.artifacts.values(), *reading.messages.values()) for part in group.parts):
        if part.kind == "data" and not questions_in([part]):
            reading.calls.doubt_data(part)
        elif part.kind == "file" and is_object(part.value):
            file = described(part.value)
            if calls_in_text(str(file.get("text") or "")):
                found.append(unread(file, "a file that may hold a tool call", "call"))
    found += [unread(part.value, f"a {part.kind} part beside the answer", "words") for part in answer.beside]
    return [*found, *reading.calls.unread]
