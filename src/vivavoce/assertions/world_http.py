"""A check by a GET: what a server answers after the agent has done its work."""

import asyncio
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta

from vivavoce.assertions.found_text import NotEmpty, TextQuestions
from vivavoce.errors import CallFailed
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.net.http_client import HttpClient
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.protocols import Evidence, Helpers

_MOST_REDIRECTS = 5


class LeftServer(TextQuestions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A GET of an address is answered with this status and this content."""

    url: NotEmpty
    headers: dict[str, str] | None = None
    status: Annotated[int, Meta(ge=100, le=599)] | None = None
    """The status; without it any from 200 to 299."""
    timeout: str = "10s"

    def __post_init__(self) -> None:
        TextQuestions.__post_init__(self)
        if "${" not in self.url and not _is_address(self.url):
            raise ValueError(f"`url` {self.url!r} is not an address: write it like http://127.0.0.1:8000/health")
        if "${" not in self.timeout:
            parse_duration(self.timeout)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        if not _is_address(self.url):
            return broken(f"{self.url!r} is not an address")
        limit_s = min(parse_duration(self.timeout), helpers.judge_timeout_s)
        client = HttpClient()
        try:
            async with asyncio.timeout(limit_s):
                status, body = await self._fetched(client)
        except TimeoutError:
            return broken(f"{self.url} did not answer within {format_duration(limit_s)}")
        except CallFailed as failure:
            return broken(str(failure))
        finally:
            await client.close()
        wanted = 200 <= status < 300 if self.status is None else status == self.status
        if not wanted:
            expected = "from 200 to 299" if self.status is None else str(self.status)
            # A negated condition on the content does not pass for an answer with another status.
            reason = f"{self.url} answered HTTP {status}, wanted {expected}"
            return failed(reason, negatable=not self.asks_for_text)
        if not self.asks_for_text:
            return passed(f"{self.url} answered HTTP {status}")
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return broken(f"the answer of {self.url} is no UTF-8 text")
        return await self.judged(f"the answer of {self.url}", text)

    async def _fetched(self, client: HttpClient) -> tuple[int, bytes]:
        """The status and the body; a redirect is followed on the same host only, unless it is what was asked for."""
        from yarl import URL

        from vivavoce.net.redirects import RedirectRefused, redirected
        from vivavoce.net.web_answers import NETWORK_ERRORS, network_failure, whole

        if self.headers:
            refuse_unsendable(self.headers, "the headers of the check")
        try:
            url = URL(self.url)
            for _ in range(_MOST_REDIRECTS + 1):
                with await client.request("GET", url, headers=self.headers or {}) as answer:
                    try:
                        target = None if answer.status == self.status else redirected(url, answer)
                    except RedirectRefused as refusal:
                        raise CallFailed(str(refusal), fault="test") from None
                    if target is None:
                        return answer.status, await whole(answer)
                url = target
        except NETWORK_ERRORS as error:
            raise network_failure(self.url, error) from None
        raise CallFailed(f"{self.url} redirects more than {_MOST_REDIRECTS} times", fault="test")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
