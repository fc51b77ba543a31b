"""`viva mcp-mock`: an MCP server in front of a real one, which answers from mocks and tapes."""

from pathlib import Path

import click

EPILOG = """\b
Examples:
  viva mcp-mock -- python3 shop_server.py                     in a run of viva: its mocks, faults and tapes
  viva mcp-mock --mocks mocks.yaml -- python3 shop_server.py  these tools answer from the file
  viva mcp-mock --record tapes -- npx -y some-mcp-server      keeps every answer
  viva mcp-mock --replay tapes -- npx -y some-mcp-server      answers without the server
  viva mcp-mock --http 8080 --url https://host/mcp            streamable HTTP on both sides
"""


@click.command("mcp-mock", epilog=EPILOG)
@click.argument("server", nargs=-1, type=click.UNPROCESSED)
@click.option("--url", help="The address of a server that speaks streamable HTTP, in place of a command.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="A header for --url; repeatable.")
@click.option("--as", "name", metavar="NAME", help="What the server is called on tapes (its command or address).")
@click.option("--mocks", type=click.Path(path_type=Path), help="Answers in place of tools: YAML or JSON, as `mocks:`.")
@click.option("--record", type=click.Path(path_type=Path), metavar="DIR", help="Keep what the server answers.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="DIR", help="Answer from there, without the server.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve streamable HTTP at this port, not stdio.")
def command(
    server: tuple[str, ...],
    url: str | None,
    headers: tuple[str, ...],
    name: str | None,
    mocks: Path | None,
    record: Path | None,
    replay: Path | None,
    port: int | None,
) -> int:
    """Put `viva mcp-mock --` before the command of an MCP server: the agent's client sees the same tools.

    Calls are answered by mocks first, then from the tape, then by the server. In a run of viva whose agent has
    `mcp_mock: true`, mocks, faults and tapes are those of the case. Needs vivavoce[mcp].
    """
    from vivavoce.app.opening import hide_secrets_around
    from vivavoce.cli.event_loop import run_async
    from vivavoce.containment.written_secrets import secrets_in_command
    from vivavoce.errors import UsageError
    from vivavoce.mcp_server.mock.serving import MockOptions, serve_mock

    pairs = [header.partition(":") for header in headers]
    if any(not colon for _, colon, _ in pairs):
        raise UsageError("a header is written NAME:VALUE", at="--header")
    sent = {header.strip(): value.strip() for header, _, value in pairs}
    words = [word for value in sent.values() for word in (value, value.rpartition(" ")[2])]
    hide_secrets_around([*words, *secrets_in_command([*server, url or ""])])
    options = MockOptions(
        command=server,
        url=url,
        headers=sent,
        name=name,
        mocks=mocks,
        record=record,
        replay=replay,
        port=port,
    )

    async def serve() -> int:
        await serve_mock(options)
        return 0

    return run_async(serve)
