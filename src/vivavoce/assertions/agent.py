"""An agent as the judge."""

import asyncio
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from vivavoce.assertions.criteria import CRITERIA, NEEDS, Criterion
from vivavoce.assertions.judge_request import attachments_of, judge_request, shown_workspace
from vivavoce.assertions.judge_votes import Vote, counted, read_vote
from vivavoce.assertions.request_digest import digest_of, with_digest
from vivavoce.assertions.strict_options import StrictOptions
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import CallOptions
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, text_of
from vivavoce.model.message import Content, ContentPart, Message, is_only_named
from vivavoce.model.verdict import Verdict, broken
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import Evidence, Helpers, Sight

DEFAULT_JUDGE = "agents:viva.validator"
_GONE = "an attachment of the recorded conversation is no longer in .viva/attachments; run the case again"
_NO_ATTACHMENTS = (
    "; it was sent the attachments of the conversation: if its model takes none, write `attachments: false` at the "
    "check, or give the judge a connector that does"
)
_ASK_AGAIN = "your last reply could not be used: answer with one JSON object and nothing else"


class JudgedByAgent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An agent is shown the answer and the criteria, and says whether they are met."""

    use: Annotated[str, Meta(min_length=1)] = DEFAULT_JUDGE
    value: JsonValue | UnsetType = UNSET
    """The criteria; `options.metadata.criteria` says the same and wins."""
    criteria: Criterion | None = None
    """Criteria that viva ships, by name; `value` adds to them."""
    reference: JsonValue | UnsetType = UNSET
    """What the judge is shown to compare the output with: the answer one would like."""
    context: JsonValue | UnsetType = UNSET
    """What the judge is shown as the facts: texts the answer must rest on."""
    options: StrictOptions = StrictOptions()
    metadata: JsonObject = {}
    """The same as `options.metadata`, which wins."""
    votes: Annotated[int, Meta(ge=1, le=99)] = 1
    """How often the judge is asked; the majority decides, a tie is a failure."""
    threshold: Annotated[float, Meta(ge=0, le=1)] | None = None
    """The lowest score that still passes."""
    attachments: bool = True
    """Whether the judge is shown the images and files of the conversation; false for a model that takes none."""
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "words"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.use == DEFAULT_JUDGE and self._criteria() is None:
            raise ValueError("an agent assertion without `use` needs criteria: write them into `value`")
        needed = None if self.criteria is None else NEEDS.get(self.criteria)
        if needed is not None and getattr(self, needed) in (UNSET, None, "", []):
            raise ValueError(f"`criteria: {self.criteria}` needs `{needed}`: what the output is compared with")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        attached = attachments_of(evidence) if self.attachments else []
        if any(is_only_named(part) for part in attached):
            return broken(_GONE)
        shown = {**await shown_workspace(evidence), **self._shown()}
        request = judge_request(evidence, self._criteria(), shown, attached)
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(self._ask(request, attached, evidence, helpers)) for _ in range(self.votes)]
        verdict = counted([vote.result() for vote in asked], compact_json(request))
        digest = await self.request_digest(evidence, helpers)
        return verdict if digest is None else with_digest(verdict, digest)

    async def request_digest(self, evidence: Evidence, helpers: Helpers) -> str | None:
        """A hash of what the judge is asked and of the judge itself; None where the judge is not known.

        The session's id and the files of the workspace are left out: a recorded conversation has none.
        """
        if helpers.fingerprint is None:
            return None
        attached = attachments_of(evidence) if self.attachments else []
        request = judge_request(evidence, self._criteria(), self._shown(), attached)
        options = msgspec.to_builtins(self._call_options(evidence))
        del options["metadata"]["session_id"]
        return digest_of([request, options, self.votes, self.threshold, helpers.fingerprint(self._judge())])

    async def _ask(
        self, request: JsonObject, attached: list[ContentPart], evidence: Evidence, helpers: Helpers
    ) -> Vote:
        """The judge's vote. When it cannot be read, the judge is asked once more, with the problem quoted."""
        ref = self._judge()
        options = self._call_options(evidence)

        async def vote(asked: JsonObject) -> Vote:
            text = compact_json(asked)
            content: Content = [{"type": "text", "text": text}, *attached] if attached else text
            question = Message(role="user", content=content)
            reply = await helpers.agents.ask(ref, [question], options, test_id=evidence.case.id)
            return read_vote(reply, self.threshold)

        try:
            async with asyncio.timeout(helpers.judge_timeout_s):
                given = await vote(request)
                if given.unreadable:
                    given = await vote({**request, "problem": f"{_ASK_AGAIN} ({given.fault})"})
                return given
        except TimeoutError:
            return Vote(fault=f"judge timed out after {format_duration(helpers.judge_timeout_s)}")
        except UsageError as error:
            return Vote(fault=f"failed to get validator agent {ref}: {error}")
        except VivaError as error:
            return Vote(fault=f"judge failed: {error}{_NO_ATTACHMENTS if attached else ''}")

    def _call_options(self, evidence: Evidence) -> CallOptions:
        told: JsonObject = {
            "test_mode": "validator",
            "test_id": evidence.case.id,
            "session_id": evidence.session_id,
            "turn_count": evidence.turns[-1].number,
        }
        criteria = self._criteria()
        if criteria is not None:
            told["criteria"] = criteria
        common = CallOptions(skip={"history": True}, metadata=self.metadata)
        return common.overridden_by(self.options).overridden_by(CallOptions(metadata=told))

    def _judge(self) -> str:
        return self.use if ":" in self.use else f"agents:{self.use}"

    def _criteria(self) -> JsonValue:
        said = self._all_metadata().get("criteria", None if self.value is UNSET else self.value)
        if self.criteria is None:
            return said
        return CRITERIA[self.criteria] if said is None else f"{CRITERIA[self.criteria]}\nAnd: {text_of(said)}"

    def _all_metadata(self) -> JsonObject:
        return {**self.metadata, **self.options.metadata}

    def _shown(self) -> JsonObject:
        """What the judge sees besides the conversation."""
        compared = {"reference": self.reference, "context": self.context}
        shown = {name: value for name, value in compared.items() if value is not UNSET}
        rest = {name: value for name, value in self._all_metadata().items() if name != "criteria"}
        return {**shown, **rest}
