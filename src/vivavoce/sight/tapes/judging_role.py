"""Whether a judge asks the model: answers to judges are replayed on an exact match only."""

from contextvars import ContextVar

_judging: ContextVar[bool] = ContextVar("judging", default=False)


class AskedByJudges:
    """Marks the calls inside `with` as calls of judges. A class, because every case uses it and it must be fast."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _judging.set(True)

    def __exit__(self, *_: object) -> None:
        _judging.reset(self._token)


def is_judge_asking() -> bool:
    return _judging.get()
