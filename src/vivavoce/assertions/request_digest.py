"""A hash of what a model was asked: a recorded verdict with the same one need not be asked for again."""

from hashlib import blake2b

import msgspec
from msgspec import structs

from vivavoce.model.json_value import JsonValue
from vivavoce.model.verdict import Verdict

REQUEST_DIGEST = "request_digest"
"""Where a verdict's details keep it."""
_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def digest_of(asked: JsonValue) -> str:
    """Returns the same text for the same request, in any process."""
    return blake2b(_encode(asked), digest_size=12).hexdigest()


def with_digest(verdict: Verdict, digest: str) -> Verdict:
    return structs.replace(verdict, details={**verdict.details, REQUEST_DIGEST: digest})
