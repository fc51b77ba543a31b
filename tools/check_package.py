"""Builds the sdist, the wheel from that sdist, and runs `viva demo` from the wheel in a fresh virtualenv."""

import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PINS = ROOT / "constraints.txt"
IN_SDIST = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "docs/cases.md", "tests/conftest.py", "Makefile")
IN_WHEEL = ("vivavoce/py.typed", "vivavoce/examples/shop/app.py", "vivavoce/cli/entry.py")
NOT_IN_WHEEL = ("tests/", "docs/", "benchmarks/", "src/")


def main() -> int:
    """Returns 0 when both packages hold what they must and the demo of the installed wheel finds its planted bugs."""
    with tempfile.TemporaryDirectory(prefix="viva-package-") as made:
        folder = Path(made)
        sdist = build("sdist", ROOT, folder)
        wheel = build("wheel", unpacked(sdist, folder / "unpacked"), folder)
        problems = [*sdist_problems(sdist), *wheel_problems(wheel)]
        for problem in problems:
            print(f"package: {problem}", file=sys.stderr)
        if problems:
            return 1
        python = fresh_environment(folder / "fresh")
        run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", PINS, wheel], folder)
        demo = run([python.with_name("viva"), "demo"], folder)
        print(demo[demo.index("\nEach exam has one failure on purpose") :])
        print(f"package: {sdist.name} and {wheel.name} are sound; `viva demo` runs from the wheel")
    return 0


def build(kind: str, source: Path, out: Path) -> Path:
    """Builds one package with the hatchling of this environment."""
    run([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out], source)
    (built,) = out.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return built


def unpacked(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside


def sdist_problems(sdist: Path) -> list[str]:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    return [f"the sdist lacks {name}" for name in IN_SDIST if name not in names]


def wheel_problems(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    missing = [f"the wheel lacks {name}" for name in IN_WHEEL if name not in names]
    return missing + [f"the wheel holds {name}" for name in names if name.startswith(NOT_IN_WHEEL)]


def fresh_environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def run(command: Sequence[str | Path], cwd: Path) -> str:
    """Returns what the command printed; one that fails is shown with its output and ends the check."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"package: {' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
