"""aiohttp without certificates: none is loaded by the import, and TLS verifies all the same once it is spoken."""

import asyncio
import os
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

TLS = Path(__file__).parents[2] / "data" / "tls"
CERTIFICATE = TLS / "localhost.pem"

GET = """
import asyncio, sys
from vivavoce.net.http_client import HttpClient

async def main():
    client = HttpClient()
    try:
        for _ in range(2):
            async with client.session().get(sys.argv[1]) as response:
                print(await response.text())
    except Exception as error:
        print(type(error).__name__)
    await client.close()

asyncio.run(main())
"""
COUNT = """
from vivavoce.net.lean_aiohttp import aiohttp
import ssl

made = [each for each in vars(aiohttp.connector).values() if isinstance(each, ssl.SSLContext)]
of_others = ssl.create_default_context()
print(*[context.cert_store_stats()["x509"] for context in (*made, of_others)], type(of_others) is ssl.SSLContext)
"""


def in_a_fresh_process(code: str, *arguments: str, trusts: Path | str) -> subprocess.CompletedProcess[str]:
    """With nothing but `trusts` as the certificates of the machine."""
    environment = {**os.environ, "SSL_CERT_FILE": str(trusts), "SSL_CERT_DIR": os.devnull}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@asynccontextmanager
async def tls_server() -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, TLS / "localhost.key.pem")
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}/"


@pytest.mark.parametrize(
    ("trusts", "printed"),
    [(CERTIFICATE, ["pong", "pong"]), (os.devnull, ["ClientConnectorCertificateError"])],
)
async def test_a_server_is_trusted_when_the_machine_trusts_it_and_only_then(trusts: Path | str, printed: list[str]):
    async with tls_server() as url:
        found = await asyncio.to_thread(in_a_fresh_process, GET, url, trusts=trusts)
    assert found.stdout.split() == printed


def test_no_certificate_is_loaded_by_the_import_and_contexts_of_others_load_theirs():
    *of_aiohttp, of_others, is_plain = in_a_fresh_process(COUNT, trusts=CERTIFICATE).stdout.split()
    assert (of_aiohttp, of_others, is_plain) == (["0", "0"], "1", "True")
