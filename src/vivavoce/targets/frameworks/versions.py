"""Whether the installed version of a framework is one that viva can read."""

import re
from pathlib import Path

from vivavoce.errors import CallFailed, UsageError
from vivavoce.targets.frameworks.declaration import Framework

_HERE = str(Path(__file__).parent)
_OUR_MISTAKES = (AttributeError, ImportError, IndexError, KeyError, TypeError)
_LOOKUPS = frozenset({"__getattr__", "__getattribute__", "__getitem__"})


def installed_version(framework: Framework) -> str | None:
    """Returns None where it is not installed as a distribution, such as a checkout on the path."""
    from importlib import metadata  # slow, and only needed where a framework is met

    for name in framework.distributions:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def refuse_older(framework: Framework, version: str | None) -> None:
    """Raises UsageError for a version that is older than the oldest that fits."""
    if version is not None and _numbers(version) < _numbers(framework.since):
        what = f"the agent is an object of {framework.name} {version}, and viva reads {_fitting(framework)}"
        raise UsageError(what, hint=f"upgrade {framework.distributions[0]}, or return the reply from a function")


def misfit(framework: Framework, error: BaseException) -> CallFailed | None:
    """The error of a version that does not fit: something viva's own reader needs is not there. None: not our doing."""
    if not isinstance(error, _OUR_MISTAKES) or not _raised_here(error):
        return None
    version = installed_version(framework) or "of unknown version"
    what = (
        f"{framework.name} {version} does not fit: viva reads {_fitting(framework)} ({type(error).__name__}: {error})"
    )
    return CallFailed(what, fault="target", hint="return the reply from a function of your own, or pin that version")


def _fitting(framework: Framework) -> str:
    return f"{framework.name} {framework.since} and newer (tested with {framework.tested})"


def _raised_here(error: BaseException) -> bool:
    deepest, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        name = code.co_filename
        is_import = name.startswith("<frozen importlib") or name.endswith("importlib/__init__.py")
        # Models of pydantic and the like raise for a missing attribute in a method of their own.
        if not is_import and code.co_name not in _LOOKUPS:
            deepest = name
        trace = trace.tb_next
    return deepest.startswith(_HERE)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
