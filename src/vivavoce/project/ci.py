"""Whether this is a CI job, where no person looks at the files that a run writes."""

from collections.abc import Mapping


def in_ci(environment: Mapping[str, str]) -> bool:
    """Whether the variable `CI` is set, as all CI systems do; `0` and `false` count as not set."""
    return environment.get("CI", "").lower() not in ("", "0", "false")
