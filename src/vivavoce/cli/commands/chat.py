"""`viva chat`: talk to any agent freely, and keep what was said as a test."""

import asyncio
from typing import Any

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva chat -n shop
  viva chat -n "openai:http://localhost:8000/v1?model=m"
Inside: /save tests/chat.jsonl  /end  /help
"""


@click.command("chat", epilog=EPILOG)
@options.agent_options
@options.project_options
@options.duration_option("--timeout", default="5m", help="Time limit for each reply [5m].")
def command(**flags: Any) -> int:
    """Talk to an agent at the terminal. /save FILE turns the conversation into a static case that passes."""
    return asyncio.run(_chat(flags))


async def _chat(flags: dict[str, Any]) -> int:
    from vivavoce.app.person import person_maker
    from vivavoce.app.surroundings import open_project
    from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, read_context
    from vivavoce.engine.chat import converse_freely
    from vivavoce.engine.wiring import RunSettings, Workshop
    from vivavoce.errors import EXIT_PASSED, UsageError
    from vivavoce.model.case import Case, ConversationRules

    project = open_project(flags["config"])
    settings = RunSettings(
        agent=flags["agent"],
        connector=flags["connector"],
        identity=IdentityFlags(flags["user"], flags["team"], flags["locale"]),
        context=read_context(flags["context_file"]) if flags["context_file"] else RunContext(),
        timeout_s=flags["timeout"],
    )
    workshop = Workshop(project, settings)
    case = workshop.with_common_metadata(
        Case(id="chat", rules=ConversationRules(interactive_timeout_s=24 * 3600.0)),
    )
    try:
        agent = workshop.agent_name(case)
        person = person_maker()(case, agent)
        if person is None:
            raise UsageError("viva chat needs a terminal", hint="use viva test -i MESSAGE in scripts")
        await converse_freely(workshop, case, person, tell=click.echo)
    finally:
        await workshop.close()
    return EXIT_PASSED
