"""`viva init`: a small working project to start from."""

import shlex
from pathlib import Path
from typing import NamedTuple

import click

from vivavoce.cli.shell_name import shell_name

EXAMPLES = Path(__file__).parents[2] / "examples"
IGNORED = ".gitignore"


class Example(NamedTuple):
    """A project that `viva init` can write."""

    folder: str
    about: str
    needs: str = ""
    """What is installed before it runs, as pip takes it."""


KINDS = {
    "python": Example("python", "a Python function"),
    "pydantic-ai": Example("pydantic_ai", "an agent of pydantic-ai", "pydantic-ai-slim"),
    "langgraph": Example("langgraph", "a LangGraph or LangChain agent", "langgraph langchain"),
    "openai-agents": Example("openai_agents", "an agent of the OpenAI Agents SDK", "openai-agents"),
    "openai": Example("openai", "an OpenAI-compatible endpoint, with tools"),
    "agui": Example("shop", "an AG-UI app"),
    "package": Example("expense", "an agent package that runs offline"),
}
_DEFAULT = "package"
OTHER_NAMES = {"expense": "package", "shop": "agui"}
_LISTED = "".join(f"  {name:<14} {kind.about}\n" for name, kind in KINDS.items())
EPILOG = f"""\b
The examples:
{_LISTED}
\b
Examples:
  viva init agent-exam && cd agent-exam && viva test
  viva init my-exam --example python
"""


@click.command("init", epilog=EPILOG)
@click.argument("folder", default=".", metavar="[DIR]")
@click.option(
    "--example",
    type=click.Choice([*KINDS, *OTHER_NAMES]),
    metavar=f"[{'|'.join(KINDS)}]",
    help="What kind of agent it examines. `expense` and `shop` are other names of the last two.  [default: package]",
)
@click.option("--force", is_flag=True, help="Overwrite files that are already there.")
def command(folder: str, example: str | None, force: bool) -> int:
    """Write an example project (agent, cases, configuration) that passes as it is, without a key.

    An app or endpoint is a server of its own: `viva test` starts it for the run.
    """
    from vivavoce.errors import UsageError

    target = Path(folder)
    kind = KINDS[_DEFAULT if example is None else OTHER_NAMES.get(example, example)]
    if target.exists() and not target.is_dir():
        raise UsageError(f"{folder} is a file", hint="give a folder")
    clashes = [name for name in project_files(kind.folder) if (target / name).exists()]
    if clashes and not force:
        shown = ", ".join(str(name) for name in clashes[:3]) + (", …" if len(clashes) > 3 else "")
        raise UsageError(f"{folder} already has {shown}", hint="give another folder, or --force to overwrite")
    for path in write_project(target, kind.folder):
        click.echo(f"  {path}")
    click.echo("\nA working project. Next:\n")
    for step in (*_steps_into(target), *_steps_before(kind), f"{shell_name()} test"):
        click.echo(f"  {step}")
    if example is None:
        click.echo(f"\nThis is {kind.about}. `--example NAME` writes another:\n")
        click.echo(
            "".join(f"  {name:<14} {other.about}\n" for name, other in KINDS.items() if name != _DEFAULT), nl=False
        )
    return 0


def _steps_before(kind: Example) -> list[str]:
    """What has to be installed before the tests run."""
    return [] if all(map(_is_installed, kind.needs.split())) else [f"pip install {kind.needs}"]


def _is_installed(distribution: str) -> bool:
    from importlib import metadata

    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _steps_into(target: Path) -> list[str]:
    return [] if target.resolve() == Path.cwd() else [f"cd {shlex.quote(str(target))}"]


def project_files(example: str) -> list[Path]:
    """What init writes, relative to the new project."""
    root = EXAMPLES / example
    files = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(path for path in files if "__pycache__" not in path.parts)


def write_project(target: Path, example: str) -> list[Path]:
    """Copies the example and writes the schemas beside it, for editors."""
    import msgspec

    from vivavoce.sources.schema import case_schema, config_schema

    contents = {name: (EXAMPLES / example / name).read_bytes() for name in project_files(example)}
    for name, schema in (("viva", config_schema()), ("case", case_schema())):
        encoded = msgspec.json.format(msgspec.json.encode(schema), indent=2)
        contents[Path("schemas") / f"{name}.schema.json"] = encoded + b"\n"
    for name, content in contents.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    _keep_out_of_git(target / IGNORED)
    return [*contents, Path(IGNORED)]


def _keep_out_of_git(path: Path) -> None:
    """Result files and viva's own folder do not belong into a repository; what a project ignores already stays."""
    there = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    missing = [line for line in ("output-*.jsonl", ".viva/") if line not in there]
    if missing:
        path.write_text("\n".join([*there, *missing]) + "\n", encoding="utf-8")
