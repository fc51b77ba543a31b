"""`viva init`: a small working project to start from."""

import shlex
from pathlib import Path

import click

from vivavoce.cli.shell_name import shell_name

EXAMPLES = Path(__file__).parents[2] / "examples"
IGNORED = ".gitignore"
EPILOG = """\b
Examples:
  viva init agent-exam && cd agent-exam && viva test
  viva init shop-exam --example shop
"""


@click.command("init", short_help="write a small working project to start from", epilog=EPILOG)
@click.argument("folder", default=".", metavar="[DIR]")
@click.option(
    "--example",
    type=click.Choice(["expense", "shop"]),
    default="expense",
    show_default=True,
    help="expense: an agent package that runs offline; shop: an AG-UI app, to be started first, and its YAML tests.",
)
@click.option("--force", is_flag=True, help="Overwrite files that are already there.")
def command(folder: str, example: str, force: bool) -> int:
    """Write an example project (agent, tools, cases, config, CI workflow) that passes as it is.

    The app of the shop is a server of its own: `python app.py &` comes before `viva test`.
    """
    from vivavoce.errors import UsageError

    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{folder} is a file", hint="give a folder")
    clashes = [name for name in project_files(example) if (target / name).exists()]
    if clashes and not force:
        shown = ", ".join(str(name) for name in clashes[:3]) + (", …" if len(clashes) > 3 else "")
        raise UsageError(f"{folder} already has {shown}", hint="give another folder, or --force to overwrite")
    for path in write_project(target, example):
        click.echo(f"  {path}")
    server = "The tests talk to app.py, so it is started first. " if example == "shop" else ""
    click.echo(f"\nA working project. {server}Next:\n")
    # One step a line: `cd there && app & viva test` would change the folder for the app only.
    for step in (*_steps_into(target), *(["python app.py &"] if example == "shop" else []), f"{shell_name()} test"):
        click.echo(f"  {step}")
    return 0


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
