"""The most common completion: one choice with text, and no unknown fields."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import Usage
from vivavoce.protocols import ModelReply

_Nothing = Annotated[list[JsonValue], Meta(max_length=0)] | None
_Count = Annotated[int, Meta(ge=0)] | None
_Details = dict[str, float | None] | None


class _Said(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    content: str
    role: str | None = None
    refusal: None = None
    annotations: _Nothing = None
    audio: None = None
    function_call: None = None
    tool_calls: _Nothing = None
    reasoning: None = None
    reasoning_content: None = None


class _Choice(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    message: _Said
    index: int | None = None
    finish_reason: Literal["stop", "length", "content_filter"] | None = None
    logprobs: None = None
    stop_reason: str | int | None = None
    token_ids: None = None


class _Usage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    prompt_tokens: _Count = None
    completion_tokens: _Count = None
    total_tokens: _Count = None
    prompt_tokens_details: _Details = None
    completion_tokens_details: _Details = None


class _Envelope(Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What stands around the choices, streamed or not."""

    id: str | None = None
    object: str | None = None
    created: float | None = None
    model: str | None = None
    service_tier: str | None = None
    system_fingerprint: str | None = None
    error: None = None


class _Completion(_Envelope, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    choices: Annotated[list[_Choice], Meta(min_length=1, max_length=1)]
    usage: _Usage | None = None
    prompt_logprobs: None = None
    kv_transfer_params: None = None


class PlainDelta(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Words or thoughts, and nothing else."""

    content: str | None = None
    role: str | None = None
    refusal: None = None
    tool_calls: _Nothing = None
    reasoning: None = None
    reasoning_content: str | None = None


class _PieceChoice(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    delta: PlainDelta
    index: Literal[0]
    finish_reason: None = None
    logprobs: None = None
    token_ids: None = None


class _Piece(_Envelope, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    choices: Annotated[list[_PieceChoice], Meta(min_length=1, max_length=1)]
    usage: None = None


_MAY_HOLD_WORDS = (b'"content"', b'"message"', b'"delta"', b'"choices"', b'"tool_calls"', b'"reasoning_content"')
_decode_piece = msgspec.json.Decoder(_Piece).decode
_decode = msgspec.json.Decoder(_Completion).decode


def plain_reply(content: bytes) -> ModelReply | None:
    """The reply of a plain completion; None for any other, which needs the full reader."""
    if _may_repeat_a_key(content):
        return None
    try:
        completion = _decode(content)
    except (ValueError, RecursionError):
        return None
    choice, spent = completion.choices[0], completion.usage
    told = spent is not None and not (spent.prompt_tokens is None and spent.completion_tokens is None)
    return ModelReply(
        text=choice.message.content,
        finish_reason=choice.finish_reason,
        usage=Usage(spent.prompt_tokens or 0, spent.completion_tokens or 0) if spent is not None and told else None,
    )


def plain_delta(content: bytes) -> PlainDelta | None:
    """What a piece of the first choice adds when it has words or thoughts only; None for any other piece."""
    if _may_repeat_a_key(content):
        return None
    try:
        return _decode_piece(content).choices[0].delta
    except (ValueError, RecursionError):
        return None


def _may_repeat_a_key(content: bytes) -> bool:
    """Whether words or calls may be lost: of a key that is written twice only the last value is read."""
    count = content.count
    return any(count(key) > 1 for key in _MAY_HOLD_WORDS)
