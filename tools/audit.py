"""What viva depends on, as far as it can be audited here. What could not be checked is said, never shown as fine."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
DISTRIBUTION = "vivavoce"


def main() -> int:
    """0, or 1 for a dependency that is undeclared, missing or not pinned."""
    declared = declared_names(ROOT / "pyproject.toml")
    problems = [*installed_problems(declared), *pin_problems(declared, ROOT / "constraints.txt")]
    for name in sorted(declared):
        print(f"  {described(name)}")
    print(known_vulnerabilities())
    for problem in problems:
        print(f"audit: {problem}", file=sys.stderr)
    return 1 if problems else 0


def normal(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared_names(pyproject: Path) -> set[str]:
    """The core dependencies; extras are the user's own choice."""
    wanted = tomllib.loads(pyproject.read_text())["project"]["dependencies"]
    return {normal(re.match(r"[\w.-]+", requirement)[0]) for requirement in wanted}  # type: ignore[index]


def installed_problems(declared: set[str]) -> list[str]:
    """Where the installed package requires something other than what pyproject.toml says."""
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return [f"{DISTRIBUTION} is not installed"]
    core = {normal(re.match(r"[\w.-]+", each)[0]) for each in required if "extra ==" not in each}  # type: ignore[index]
    return [
        *(f"{name} is required at run time, but pyproject.toml does not say so" for name in sorted(core - declared)),
        *(f"{name} is declared, but the installed package does not require it" for name in sorted(declared - core)),
    ]


def pin_problems(declared: set[str], constraints: Path) -> list[str]:
    if not constraints.is_file():
        print("pins: NOT checked (there is no constraints.txt)")
        return []
    lines = [line.partition("#")[0].strip() for line in constraints.read_text().splitlines()]
    pinned = {normal(line.partition("==")[0].partition("[")[0]) for line in lines if "==" in line}
    return [f"{name} is not pinned in {constraints.name}" for name in sorted(declared - pinned)]


def described(name: str) -> str:
    """`aiohttp 3.14.5 (Apache-2.0)`."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return f"{name} is not installed"
    classifiers = about.get_all("Classifier") or []
    classified = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License")]
    licence = about.get("License-Expression") or ", ".join(classified) or (about.get("License") or "").split("\n")[0]
    return f"{name} {about['Version']} ({licence or 'licence: NOT stated'})"


def known_vulnerabilities() -> str:
    """pip-audit's word where it is installed and reaches its database."""
    beside_python = shutil.which("pip-audit", path=str(Path(sys.executable).parent))
    if beside_python is None:
        return "known vulnerabilities: NOT checked (needs a vulnerability database; pip-audit is not installed)"
    command = [beside_python, "--local", "--skip-editable", "--progress-spinner", "off"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "known vulnerabilities: NOT checked (the vulnerability database did not answer)"
    if done.returncode == 0:
        return "known vulnerabilities: none found by pip-audit"
    if done.returncode == 1 and "vulnerabilit" in done.stderr:
        return f"known vulnerabilities: FOUND\n{done.stdout}"
    return "known vulnerabilities: NOT checked (the vulnerability database is not reachable)"


if __name__ == "__main__":
    sys.exit(main())
