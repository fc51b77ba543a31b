"""`file://` parts and attachments of turns → content parts with their bytes."""

import base64
from pathlib import Path

from msgspec import structs

from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import Content, ContentPart, Message, is_only_named
from vivavoce.project.project import Project
from vivavoce.sources.decoding.content_decoder import FILE_PREFIX
from vivavoce.sources.decoding.media_types import media_type

LARGEST_ATTACHMENT = 50 * 1024 * 1024


def load_attachments(case: Case, project: Project) -> Case:
    """The case with all its files read; the attachments of a turn come after its text."""
    if not _has_attachments(case):
        return case
    files = _Files(case, project)
    return structs.replace(
        case,
        history=tuple(_loaded_message(message, files) for message in case.history),
        turns=tuple(_loaded_turn(turn, files) for turn in case.turns),
    )


def _has_attachments(case: Case) -> bool:
    for turn in case.turns:
        if turn.attachments or type(turn.content) is list:
            return True
    return bool(case.history) and any(type(message.content) is list for message in case.history)


def _loaded_message(message: Message, files: "_Files") -> Message:
    if isinstance(message.content, str):
        return message
    return structs.replace(message, content=[files.loaded(part) for part in message.content])


def _loaded_turn(turn: ScriptedTurn, files: "_Files") -> ScriptedTurn:
    content: Content = turn.content
    if isinstance(content, str):
        if not turn.attachments:
            return turn
        content = [{"type": "text", "text": content}] if content else []
    parts = [files.loaded(part) for part in (*content, *turn.attachments)]
    return structs.replace(turn, content=parts, attachments=())


class _Files:
    """The files that a case may name: below its own folder, or below the project's root."""

    def __init__(self, case: Case, project: Project) -> None:
        self._case = case
        self._root = project.root.resolve()
        self._folder = folder_of(case, project)
        self._anywhere = project.config.allow_outside

    def loaded(self, part: ContentPart) -> ContentPart:
        if "source" not in part:
            if is_only_named(part):
                raise self._problem("its bytes were not kept", "name the file itself: file://…")
            return part
        path = self.find(str(part["source"]))
        try:
            data = base64.b64encode(path.read_bytes()).decode()
        except OSError as error:
            raise self._problem(f"{part['source']} cannot be read: {error.strerror}") from None
        ending = path.suffix.lower().removeprefix(".")
        url = f"data:{media_type(ending)};base64,{data}"
        if part["type"] == "audio":
            return {"type": "input_audio", "input_audio": {"data": data, "format": ending}}
        if part["type"] == "image":
            return {"type": "image_url", "image_url": {"url": url, "detail": part.get("detail", "auto")}}
        return {"type": "file", "file": {"url": url, "filename": part.get("name") or path.name}}

    def find(self, source: str) -> Path:
        """The path of a `file://` address. Raises UsageError when viva may not read it."""
        name = source.removeprefix(FILE_PREFIX)
        candidates = [(base / name).resolve() for base in dict.fromkeys((self._folder, self._root))]
        path = next((candidate for candidate in candidates if candidate.exists()), None)
        if path is None:
            raise self._problem(f"no such file: {source}", f"looked in {self._folder} and in {self._root}")
        if not (self._anywhere or path.is_relative_to(self._root) or path.is_relative_to(self._folder)):
            raise self._problem(f"{source} lies outside the project", "viva.yaml can say 'allow_outside: true'")
        if not path.is_file():
            raise self._problem(f"{source} is not a file")
        if (size := path.stat().st_size) > LARGEST_ATTACHMENT:
            limit = LARGEST_ATTACHMENT // 2**20
            raise self._problem(f"{source} has {size / 2**20:.0f} MB, an attachment may have {limit} MB")
        return path

    def _problem(self, what: str, hint: str | None = None) -> UsageError:
        return UsageError(f"attachment of case {self._case.id!r}: {what}", at=self._case.origin, hint=hint)


def folder_of(case: Case, project: Project) -> Path:
    """The folder of the case's file, whose path is relative to the working directory or to the project's root."""
    shown = Path(case.origin.path)
    for base in (here(), project.root):
        if (base / shown).is_file():
            return (base / shown).resolve().parent
    return project.root.resolve()
