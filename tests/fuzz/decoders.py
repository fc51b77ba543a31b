"""Everything that reads foreign bytes, as plain functions: what was read, or the words of the UsageError."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from vivavoce.configuration.project_finder import read_config
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.net.server_sent_events import SseSplitter
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.notation.json_text import find_json, mend_json
from vivavoce.notation.patterns import compile_pattern
from vivavoce.notation.references import looks_like_path, parse_ref
from vivavoce.project.files import read_yao
from vivavoce.protocols import Source
from vivavoce.results.result_file import info_at_start, read_result_file, summary_at_end
from vivavoce.sources.reading.json_file import JsonSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.yaml_file import YamlSource

Decoder = Callable[[bytes], Any]
_FOLDER = tempfile.TemporaryDirectory(prefix="viva-fuzz-", ignore_cleanup_errors=True)


def in_a_file(name: str, data: bytes) -> Path:
    """One file per process and name, written anew each time."""
    path = Path(_FOLDER.name) / name
    path.write_bytes(data)
    return path


def jsonl(data: bytes) -> list[Any]:
    return _cases(JsonlSource(in_a_file("fuzz.jsonl", data), "fuzz.jsonl"))


def json_cases(data: bytes) -> list[Any]:
    return _cases(JsonSource(in_a_file("fuzz.json", data), "fuzz.json"))


def yaml(data: bytes) -> list[Any]:
    return _cases(YamlSource(in_a_file("fuzz.yaml", data), "fuzz.yaml"))


def configuration(data: bytes) -> Any:
    return _or_words(lambda: repr(read_config(in_a_file("viva.yaml", data))))


def package(data: bytes) -> Any:
    return _or_words(lambda: repr(read_yao(in_a_file("package.yao", data))))


def result_file(data: bytes) -> Any:
    path = in_a_file("result.jsonl", data)
    info_at_start(path)
    summary_at_end(path)
    return _or_words(lambda: _whole_run(path))


def model_text(data: bytes) -> Any:
    text = data.decode("utf-8", "surrogatepass" if b"\xed" in data and _has_halves(data) else "replace")
    return repr(find_json(text)), repr(mend_json(text))


def stream(data: bytes) -> list[bytes]:
    splitter = SseSplitter()
    return [*splitter.feed(data), splitter.rest()]


def reference(data: bytes) -> Any:
    text = data.decode(errors="replace")
    return repr(parse_ref(text, ("agents", "scripts"))), looks_like_path(text)


def duration(data: bytes) -> Any:
    try:
        return format_duration(parse_duration(data.decode(errors="replace")))
    except ValueError as error:
        return str(error)


def pattern(data: bytes) -> Any:
    text = data.decode(errors="replace")
    try:
        return compile_pattern(text).search(text[:1000]) is None
    except ValueError as error:
        return str(error)


DECODERS: dict[str, Decoder] = {
    decode.__name__: decode
    for decode in (
        jsonl,
        json_cases,
        yaml,
        configuration,
        package,
        result_file,
        model_text,
        stream,
        reference,
        duration,
        pattern,
    )
}


def _cases(source: Source) -> list[Any]:
    return [_told(found) for found in source.read()]


def _told(found: Case | UsageError) -> Any:
    """A case must be able to travel: what cannot be encoded is no case."""
    if isinstance(found, UsageError):
        return str(found)
    msgspec.json.decode(msgspec.json.encode(found), type=Case)
    return repr(found)


def _whole_run(path: Path) -> Any:
    read = read_result_file(path)
    return repr(read.info), repr(read.summary), read.incomplete, [repr(result) for result in read.results()]


def _or_words(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except UsageError as error:
        return str(error)


def _has_halves(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True
