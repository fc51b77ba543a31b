"""Every peer, in the order of the table."""

from benchmarks.peers.deepeval import DeepEval
from benchmarks.peers.inspect_ai import InspectAi
from benchmarks.peers.peer import Peer
from benchmarks.peers.promptfoo import Promptfoo
from benchmarks.peers.pydantic_evals import PydanticEvals

PEERS: dict[str, Peer] = {peer.name: peer for peer in (PydanticEvals(), DeepEval(), InspectAi(), Promptfoo())}
