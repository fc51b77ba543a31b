"""A check on a file that the agent left in its workspace."""

import os

from vivavoce.assertions.found_text import NotEmpty, TextQuestions
from vivavoce.containment.overlong_work import LIMIT_S, TookTooLong, finished_apart
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.model.workspace import Workspace
from vivavoce.protocols import Evidence, Helpers
from vivavoce.wording.plurals import first_few
from vivavoce.workspaces.changes import Comparison, compare, is_still_original, original_entry
from vivavoce.workspaces.reading import CannotLook, content_of, found_inside, is_inside
from vivavoce.workspaces.survey import Limits

NO_WORKSPACE = "there is no workspace to look into (write `workspace: FOLDER` in the case)"


class LeftFile(TextQuestions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file or folder of the workspace is there, is gone, says something, or is as it was."""

    path: NotEmpty
    """Where it is in the workspace: relative, and inside."""
    exists: bool | None = None
    """True: it is there. False: it is not."""
    absent: bool | None = None
    """The same the other way round."""
    unchanged: bool | None = None
    """True: it is as it was before the agent began, byte by byte; a folder with all that is in it."""

    def __post_init__(self) -> None:
        TextQuestions.__post_init__(self)
        if "${" not in self.path and not is_inside(self.path):
            raise ValueError(f"`path` {self.path!r} must lie in the workspace: write it relative, without `..`")
        if self.path != self.path.strip() or "*" in self.path or "?" in self.path:
            raise ValueError(f"`path` {self.path!r} names one file or folder: no blanks around it, no `*` and no `?`")
        if self.exists is not None and self.absent is not None:
            raise ValueError("`exists` and `absent` say the same thing: write one of them")
        if not self._may_be_there and (self.asks_for_text or self.unchanged is not None):
            raise ValueError("a file that must not be there has no content to look at")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        workspace = evidence.workspace
        if workspace is None:
            return broken(NO_WORKSPACE)
        if not is_inside(self.path):
            return broken(f"{self.path} does not lie in the workspace")
        limit_s = min(LIMIT_S, helpers.judge_timeout_s)
        try:
            place, text = await finished_apart(lambda: self._look(workspace), limit_s, "looking at the file")
            if self.unchanged is not None:
                verdict = await finished_apart(lambda: self._compared(workspace), limit_s, "comparing the files")
                if not verdict.passed or not self.asks_for_text:
                    return verdict
        except TookTooLong as error:
            return broken(str(error))
        except CannotLook as error:
            return broken(f"{self.path} cannot be looked at: {error}", fault="agent")
        except OSError as error:
            return broken(f"{self.path} cannot be looked at: {error.strerror}", fault="agent")
        if not self._may_be_there:
            return failed(f"{self.path} is there") if place else passed(f"{self.path} is not there")
        if place is None:
            # A negated condition on the content does not pass for a missing file.
            return failed(f"{self.path} is not there", negatable=not self.asks_for_text)
        return passed(f"{self.path} is there") if text is None else await self.judged(self.path, text)

    @property
    def _may_be_there(self) -> bool:
        return self.exists is not False and self.absent is not True

    def _look(self, workspace: Workspace) -> tuple[str | None, str | None]:
        """Its real place, and its text where a question needs that. Raises CannotLook or OSError."""
        place = found_inside(workspace.folder, self.path)
        if place is None or not self.asks_for_text:
            return place, None
        if os.path.isdir(place):
            raise CannotLook("it is a folder")
        try:
            return place, content_of(place).decode()
        except UnicodeDecodeError:
            raise CannotLook("it is no UTF-8 text") from None

    def _compared(self, workspace: Workspace) -> Verdict:
        path = os.path.normpath(self.path)
        found = compare(workspace, Limits())
        if found.found.too_large:
            raise CannotLook(f"the workspace has {found.found.too_large}")
        if path != "." and path not in workspace.before and path not in found.found.entries:
            return broken(f"{self.path} was not there before, and is not there now")
        for inside, before in workspace.before.items():
            if _is_at(inside, path) and not is_still_original(
                workspace, inside, before, original_entry(workspace, inside)
            ):
                return broken(f"the original {workspace.name}/{inside} was changed too", fault="agent")
        changed = [_words(inside, found) for inside in found.changed if _is_at(inside, path)]
        if bool(changed) is not self.unchanged:
            return passed(self._seen(changed))
        return failed(self._seen(changed))

    def _seen(self, changed: list[str]) -> str:
        return f"not unchanged: {first_few(changed, 5)}" if changed else f"{self.path} is unchanged"


def _is_at(path: str, place: str) -> bool:
    return place == "." or path == place or path.startswith(f"{place}/")


def _words(path: str, found: Comparison) -> str:
    before, after = found.changed[path]
    return f"{path} {'added' if before is None else 'removed' if after is None else 'changed'}"
