"""The same 1,000 cases against the same endpoint: viva, the limit, and the peers, in interleaved rounds."""

from benchmarks.as_installed import with_uvloop
from benchmarks.cases import PARALLEL, Bench, bare_chat, viva_chat, write_cases
from benchmarks.measure import Cost, cost_of, median, mock_server
from benchmarks.peers.all import PEERS
from benchmarks.peers.peer import Peer, PeerFailed
from benchmarks.tables import Table

COUNT = 1_000
COLUMNS = ("what", "wall s", "× the bare loop", "× viva", "CPU ms per case", "× the bare loop", "× viva", "peak MB")
BARE, VIVA, VIVA_UVLOOP = "bare aiohttp loop", "viva", "viva[uvloop]"


def endpoint(bench: Bench) -> Table:
    """Viva beside the limit alone."""
    return _race(bench, {})


def peers(bench: Bench) -> Table:
    """Viva beside the limit and every peer that can be had here."""
    return _race(bench, PEERS)


def _race(bench: Bench, peers: dict[str, Peer]) -> Table:
    table = Table(f"{COUNT:,} cases, {PARALLEL} at once, an endpoint that answers at once", *COLUMNS)
    cases = write_cases(bench.folder / f"c{COUNT}.jsonl", COUNT)
    missing = {name: why for name, peer in peers.items() if (why := peer.install())}
    costs: dict[str, list[Cost]] = {BARE: [], VIVA: []}
    with mock_server() as url:
        for turn in range(bench.repeats):
            costs[BARE].append(cost_of(bare_chat(cases, url), cwd=bench.folder))
            costs[VIVA].append(cost_of(viva_chat(cases, url, bench.folder), cwd=bench.folder))
            if faster := with_uvloop(viva_chat(cases, url, bench.folder)):
                costs.setdefault(VIVA_UVLOOP, []).append(cost_of(faster, cwd=bench.folder))
            for name, peer in peers.items():
                if turn >= peer.rounds or name in missing:
                    continue
                try:
                    costs.setdefault(name, []).append(peer.run(cases, COUNT, url, bench.folder))
                except PeerFailed as failure:
                    missing[name] = str(failure)
    medians = {name: median(found) for name, found in costs.items() if name not in missing}
    _fill(table, medians, missing, peers)
    return table


def _fill(table: Table, medians: dict[str, Cost], missing: dict[str, str], peers: dict[str, Peer]) -> None:
    bare, viva = medians[BARE], medians[VIVA]
    for name, cost in medians.items():
        label = f"{name} {peers[name].version}" if name in peers else name
        wall = (cost.wall_s, cost.wall_s / bare.wall_s, cost.wall_s / viva.wall_s)
        cpu = (1000 * cost.cpu_s / COUNT, cost.cpu_s / bare.cpu_s, cost.cpu_s / viva.cpu_s)
        table.add(label, *wall, *cpu, cost.peak_mb)
    for name, why in missing.items():
        table.add(f"{name} {peers[name].version}", why, *[""] * (len(COLUMNS) - 2))
    table.promise("viva's wall time beside the bare loop's", viva.wall_s / bare.wall_s, "×", at_most=1.4)
    for name, peer in peers.items():
        if peer.behind is None:
            continue
        what = f"{name}'s wall time beside viva's"
        if name in missing:
            table.unmeasured(what, missing[name], "×", at_least=peer.behind)
        else:
            table.promise(what, medians[name].wall_s / viva.wall_s, "×", at_least=peer.behind)
