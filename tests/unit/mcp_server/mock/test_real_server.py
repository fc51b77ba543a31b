"""What a server is called on tapes."""

import pytest

from vivavoce.mcp_server.mock.real_server import name_of


@pytest.mark.parametrize(
    ("command", "url", "name"),
    [
        (["/home/ann/.venv/bin/python3", "/home/ann/shop_server.py"], None, "python3 shop_server.py"),
        (["npx", "-y", "@scope/server"], None, "npx -y server"),
        ([], "https://key@host.example/mcp/?token=secret", "host.example/mcp"),
        ([], None, "mocks"),
    ],
)
def test_it_is_the_same_on_every_machine_and_holds_no_secret(command: list[str], url: str | None, name: str):
    assert name_of(command, url) == name
