"""A project in a folder of its own, and what targets and connectors are lent."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from vivavoce.net.http_client import HttpClient
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import Config
from vivavoce.protocols import Surroundings


@asynccontextmanager
async def surroundings_at(root: Path, config: Config | None = None) -> AsyncIterator[Surroundings]:
    """Surroundings whose HTTP client is closed at the end."""
    lent = Surroundings(project=Project(root=root, config=config or Config()), http=HttpClient(), secrets=Secrets())
    try:
        yield lent
    finally:
        await lent.http.close()


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    """Writes every file with its folders."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
