"""Finds the model API of a request by its path."""

import re

from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES

_PATHS = (
    (re.compile(r"/chat/completions$"), CHAT),
    (re.compile(r"/responses$"), RESPONSES),
    (re.compile(r"/messages$"), ANTHROPIC),
    (re.compile(r":(?:stream)?[gG]enerateContent$"), GEMINI),
)
_SILENT = re.compile(
    r"/(?:models(?:/[^/:]+)?|embeddings|moderations|tokenize|messages/count_tokens|files(?:/[^/]+(?:/content)?)?"
    r"|images/[^/]+|audio/[^/]+|completions|rerank)$|:(?:countTokens|embedContent|batchEmbedContents)$"
)
"""Paths of model APIs whose answers never hold tool calls."""
_NO_ANSWER = ("HEAD", "OPTIONS", "DELETE")


def dialect_of(path: str) -> Dialect | None:
    """Returns the API that is called at this path; None for one that viva cannot read."""
    return next((dialect for pattern, dialect in _PATHS if pattern.search(path)), None)


def never_calls(method: str, path: str) -> bool:
    """Whether an answer at this path of a model provider cannot hold tool calls."""
    return method in _NO_ANSWER or (dialect_of(path) is None and _SILENT.search(path) is not None)
