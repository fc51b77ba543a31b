from msgspec import Struct

from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.plugins import assertion
from vivavoce.protocols import Evidence, Helpers


@assertion("polite")
class Polite(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer has a polite word."""

    word: str = "please"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        if self.word in str(evidence.output):
            return passed()
        return failed(f"no {self.word!r} in it", expected=self.word, actual=evidence.output)
