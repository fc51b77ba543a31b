"""Whether a model is asked on behalf of a judge: what judges said is replayed on an exact match only."""

from contextvars import ContextVar

_judging: ContextVar[bool] = ContextVar("judging", default=False)


class AskedByJudges:
    """Models that are asked inside `with` it are asked by judges. A class, because every case passes through it."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _judging.set(True)

    def __exit__(self, *_: object) -> None:
        _judging.reset(self._token)


def is_judge_asking() -> bool:
    return _judging.get()
