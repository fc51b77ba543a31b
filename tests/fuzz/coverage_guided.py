"""A coverage-guided fuzzer over the decoders: `python -m tests.fuzz.coverage_guided SECONDS`, with atheris installed.

libFuzzer ends its process at the first finding, so every decoder gets a process of its own.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 600
FINDINGS = Path("build/fuzz")
"""Where the bytes of a finding are kept."""


def main() -> int:
    try:
        import atheris  # noqa: F401 # type: ignore[import-not-found]
    except ImportError:
        print("coverage-guided fuzzing: NOT done (atheris is not installed: pip install atheris)")
        return 0
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    from tests.fuzz.decoders import DECODERS

    FINDINGS.mkdir(parents=True, exist_ok=True)
    findings = [name for name in DECODERS if not _survives(name, max(1, seconds // len(DECODERS)))]
    print(f"coverage-guided fuzzing: {len(DECODERS)} decoders, findings in: {', '.join(findings) or 'none'}")
    return 1 if findings else 0


def _survives(name: str, seconds: int) -> bool:
    from tests.fuzz.damage import BOMBS, TOKENS
    from tests.fuzz.seeds import SEEDS

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate((*SEEDS[name], *(bomb[:500] for bomb in BOMBS), b" ".join(TOKENS))):
            (Path(folder) / f"seed{number}").write_bytes(data)
        print(f"--- {name}, {seconds}s", flush=True)
        command = [sys.executable, "-m", "tests.fuzz.coverage_guided", "--one", name, f"-max_total_time={seconds}"]
        limits = ["-timeout=20", "-rss_limit_mb=2048", "-verbosity=0", f"-artifact_prefix={FINDINGS}/{name}-"]
        return subprocess.run([*command, *limits, folder]).returncode == 0


def fuzz_one() -> None:
    """The process of one decoder: `--one NAME [libFuzzer's own flags]`."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["vivavoce", "yaml", "json_repair"]):
        from tests.fuzz.decoders import DECODERS
    decode = DECODERS[sys.argv[2]]

    def check(data: bytes) -> None:
        if decode(data) != decode(data):
            raise AssertionError("the same bytes were read in two ways")

    atheris.Setup([sys.argv[0], *sys.argv[3:]], check)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        fuzz_one()
    else:
        code = main()
        sys.stdout.flush()
        os._exit(code)
