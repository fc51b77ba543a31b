"""Under pytest-xdist every worker is a pytest session of its own, with a run of its own."""

from pathlib import Path
from typing import IO, Any

import pytest

_HELD = pytest.StashKey[IO[str]]()


def worker_of(config: pytest.Config) -> str | None:
    """The name of this worker (`gw0`); None where tests are not spread over processes."""
    input_of_worker: Any = getattr(config, "workerinput", None)
    return None if input_of_worker is None else str(input_of_worker["workerid"])


def share_servers_of_run(config: pytest.Config) -> None:
    """Lets all workers of a run use the same servers of agents."""
    input_of_worker: Any = getattr(config, "workerinput", None)
    if input_of_worker is not None:
        from vivavoce.targets.serving.shared_folder import share_servers

        share_servers(str(input_of_worker["testrunuid"]))


def hold_servers_of_run(node: Any) -> None:
    """In the process that starts the workers: one may end before the next one begins, and both use one server."""
    if _HELD not in node.config.stash:
        from vivavoce.targets.serving.shared_folder import hold_servers

        node.config.stash[_HELD] = hold_servers(str(node.workerinput["testrunuid"]))


def let_go_of_servers_of_run(config: pytest.Config) -> None:
    if (held := config.stash.get(_HELD, None)) is not None:
        from vivavoce.targets.serving.shared_folder import let_go_of_servers

        del config.stash[_HELD]
        let_go_of_servers(held)


def output_of_worker(path: str, worker: str) -> str:
    """`results.jsonl` → `results-gw0.jsonl`: two processes must not write one file."""
    named = Path(path)
    return str(named.with_stem(f"{named.stem}-{worker}"))
