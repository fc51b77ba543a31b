"""Connects to a Ray cluster or starts one on this machine, without Ray's own output on the screen."""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.errors import UsageError, VivaError

NO_EXTRA_HINT = "pip install 'vivavoce[ray]'"
HOW_TO_NAME_ONE = "give host:port of its head node, or auto for the one this machine belongs to"
STRANGER_HINT = "is it Ray? A cluster with token authentication wants RAY_AUTH_MODE=token here, too"
CONNECTING_S = 3.0
JOINING_S = 20.0
STARTING_S = 120.0
OBJECT_STORE_BYTES = 200 * 2**20
"""Bytes of the object store. Only long answers need it; Ray's default is a third of the memory."""


def require_ray() -> None:
    if find_spec("ray") is None:
        raise UsageError("--executor ray needs Ray, which is not installed", hint=NO_EXTRA_HINT)


def require_reachable(address: str) -> None:
    """Raises UsageError within seconds when the address cannot be reached; Ray itself tries for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdecimal():
        raise UsageError(f"bad address of a Ray cluster: {address!r}", hint=HOW_TO_NAME_ONE)
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECTING_S).close()
    except (OSError, OverflowError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"no Ray cluster at {address}: {why}", hint=HOW_TO_NAME_ONE) from None


@asynccontextmanager
async def cluster(address: str | None) -> "AsyncGenerator[Any]":
    """Returns the connected `ray` module. Starts a local cluster without an address; keeps a connection."""
    ray = _quiet_ray()
    if ray.is_initialized():
        yield ray
        return
    await _started(ray, address)
    try:
        yield ray
    finally:
        ray.shutdown()


async def _started(ray: Any, address: str | None) -> None:
    # In a thread: it takes seconds, and Ctrl-C must be heard.
    starting = asyncio.ensure_future(in_daemon_thread(lambda: _connect(ray, address)))
    # A failure after the timeout is ignored.
    starting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        async with asyncio.timeout(STARTING_S if address is None else JOINING_S):
            await _keeping_sigterm(starting)
    except TimeoutError:
        raise _not_there(address, "nothing answers that lets us in", STRANGER_HINT) from None
    except asyncio.CancelledError:
        signal.alarm(0)  # Ray's handler sets an alarm that aborts the process
        await _keeping_sigterm(starting)  # a cluster that is still starting cannot be stopped
        ray.shutdown()
        raise
    starting.result()


async def _keeping_sigterm(starting: "asyncio.Future[None]") -> None:
    """Waits, then restores the SIGTERM handler: Ray's own prints a stack trace."""
    handler = signal.getsignal(signal.SIGTERM)
    ours = handler is not None and threading.current_thread() is threading.main_thread()
    while not starting.done():
        await asyncio.wait([starting], timeout=0.05)
        if ours:
            signal.signal(signal.SIGTERM, handler)


def _quiet_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = import_module("ray")
    logging.getLogger("ray").setLevel(logging.ERROR)
    return ray


def _connect(ray: Any, address: str | None) -> None:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is None:
            ray.init("local", include_dashboard=False, object_store_memory=OBJECT_STORE_BYTES, **quiet)
        else:
            ray.init(address, **quiet)
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        raise _not_there(address, str(error).strip().partition("\n")[0]) from None


def _not_there(address: str | None, why: str, hint: str = HOW_TO_NAME_ONE) -> VivaError:
    if address is None:
        return VivaError(f"a local Ray cluster could not be started: {why}")
    if address == "auto":
        return UsageError("no Ray cluster runs on this machine", hint="ray start --head starts one; or give host:port")
    return UsageError(f"no Ray cluster at {address}: {why}", hint=hint)
