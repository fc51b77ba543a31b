"""`viva chat`: talk to any agent freely, and keep what was said as a test."""

from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import AgentOptions, ExecutionOptions, ProjectOptions

if TYPE_CHECKING:
    from vivavoce.model.transcript import Turn
    from vivavoce.project.redaction import Secrets
    from vivavoce.protocols import Session

EPILOG = """\b
Examples:
  viva chat -n shop
  viva chat -n "openai:http://localhost:8000/v1?model=m"
Inside: /save tests/chat.jsonl  /end  /help
"""


@click.command("chat", epilog=EPILOG)
@options.groups(AgentOptions, ProjectOptions)
@options.named(ExecutionOptions, "timeout")
def command(**flags: Any) -> int:
    """Talk to an agent at the terminal. /save FILE turns the conversation into a static case that passes."""
    import asyncio

    return asyncio.run(_chat(flags))


class _FailureLines:
    """Says why a line got no answer; the person's speaker shows the answers itself."""

    def __init__(self, secrets: "Secrets") -> None:
        self._secrets = secrets

    def opened(self, session: "Session") -> None:
        pass

    def answered(self, turn: "Turn") -> None:
        pass

    def unanswered(self, turn: "Turn", why: str) -> None:
        click.echo(self._secrets.mask(f"  ✗ {why}"))


async def _chat(flags: dict[str, Any]) -> int:
    from vivavoce.app.opening import open_project
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.person import person_maker
    from vivavoce.engine.chat import converse_freely
    from vivavoce.engine.wiring import RunResources
    from vivavoce.errors import EXIT_PASSED, UsageError
    from vivavoce.model.case import Case, ConversationRules

    request = RunRequest.of(flags)
    resources = RunResources(open_project(request.config_path), request.settings())
    case = resources.with_common_metadata(
        Case(id="chat", rules=ConversationRules(interactive_timeout_s=24 * 3600.0)),
    )
    try:
        agent = resources.agent_name(case)
        person = person_maker(resources.secrets)(case, agent)
        if person is None:
            raise UsageError("viva chat needs a terminal", hint="use viva test -i MESSAGE in scripts")
        await converse_freely(resources, case, person, _FailureLines(resources.secrets))
    finally:
        await resources.close()
    return EXIT_PASSED
