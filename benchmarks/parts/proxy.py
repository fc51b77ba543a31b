"""What the model proxy adds to a model call: the same calls straight and through it, in turns, in one run."""

import http.client
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.cases import Bench
from benchmarks.measure import mock_server
from benchmarks.tables import Table
from vivavoce.metering.prices import PriceList
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Provisions
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_writing import TapeWriter

CALLS = 300
MOST_MS = 2.0
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Where is my order? " * 20}]})


def proxy(bench: Bench) -> Table:
    table = Table(f"{CALLS} model calls one after the other, median ms per call", "way", "ms", "added ms")
    with mock_server() as url:
        base = urlsplit(url)
        root = f"{base.scheme}://{base.netloc}"
        attempt_tape = AttemptTape(
            "bench", 1, normaliser=Normaliser(), writer=TapeWriter(bench.folder / "bench.tape.jsonl")
        )
        servers = {"seen": _server(root, None), "seen and recorded": _server(root, attempt_tape)}
        asks: dict[str, Callable[[], None]] = {"straight": _caller(base.netloc, Path("/v1"))}
        for name, (server, tap) in servers.items():
            asks[name] = _caller(urlsplit(server.root).netloc, Path(f"/c/{tap.token}/openai/v1"))
        took: dict[str, list[float]] = {name: [] for name in asks}
        for _ in range(CALLS):
            for name, ask in asks.items():
                began = time.perf_counter()
                ask()
                took[name].append((time.perf_counter() - began) * 1000)
        for server, _ in servers.values():
            server.close()
    straight = statistics.median(took["straight"])
    for name, found in took.items():
        added = statistics.median(found) - straight
        table.add(name, statistics.median(found), added)
        if name != "straight":
            table.promise(f"added to a model call that is {name}", added, " ms", at_most=MOST_MS)
    return table


def _server(upstream: str, attempt_tape: AttemptTape | None) -> tuple[ProxyServer, ConversationTap]:
    providers = providers_of({"openai": upstream}, "bench")
    server = ProxyServer(0, providers)
    server.start()
    tap = ConversationTap(
        "bench",
        providers=providers,
        server=server,
        provisions=Provisions(session_id="bench"),
        lines=[],
        prices=PriceList({}),
        censor=Censor(Secrets()),
        attempt_tape=attempt_tape,
        sees=True,
        takes_faults=False,
    )
    server.taps.add(tap)
    return server, tap


def _caller(address: str, base: Path) -> Callable[[], None]:
    """Asks once over a connection that stays open."""
    connection = http.client.HTTPConnection(address)

    def ask() -> None:
        connection.request("POST", f"{base}/chat/completions", BODY, {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{address} answered {answer.status}")

    return ask
