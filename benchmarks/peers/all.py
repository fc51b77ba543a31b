"""Every peer, in the order of the table."""

from benchmarks.peers.deepeval import DeepEval
from benchmarks.peers.inspect_ai import InspectAi
from benchmarks.peers.peer import Peer
from benchmarks.peers.promptfoo import Promptfoo, PromptfooUnwritten
from benchmarks.peers.pydantic_evals import PydanticEvals

_KINDS = (PydanticEvals, Promptfoo, PromptfooUnwritten, InspectAi, DeepEval)
PEERS: dict[str, Peer] = {kind.name: kind() for kind in _KINDS}
