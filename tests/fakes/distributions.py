"""Distributions as an installer would leave them: packages beside their dist-info, made without a network."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import vivavoce

PLUGIN_DIST = Path(__file__).parents[1] / "data" / "plugin_dist"
SRC = Path(vivavoce.__file__).parents[1]


def install_source(source: Path, site: Path) -> None:
    """What `pip install` does with a project of pure Python."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    install(site, project["name"], project["version"], project.get("entry-points", {}))
    for package in source.iterdir():
        if (package / "__init__.py").is_file():
            shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))


def install(site: Path, name: str, version: str, entry_points: dict[str, dict[str, str]], **files: str) -> None:
    """A distribution with these entry points, by group; `files` are its modules."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{point} = {where}\n" for point, where in points.items())
        for group, points in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))
    for module, text in files.items():
        (site / f"{module}.py").write_text(text)


def fresh_virtualenv(folder: Path) -> tuple[Path, Path]:
    """(its python, its site-packages); the packages of this one and viva itself are lent to it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    [site] = folder.glob("lib/python*/site-packages")
    lent = [entry for entry in sys.path if entry.endswith("-packages")]
    lines = [str(SRC), *(f"import site; site.addsitedir({entry!r})" for entry in lent)]
    (site / "lent.pth").write_text("\n".join(lines) + "\n")
    return folder / "bin" / "python", site
