"""What pytest prints of a case by itself: logs, warnings, and what its agent writes past viva."""

import json
import re

import pytest
from tests.unit.pytest_plugin.suite import Suite

from vivavoce.wording.unsafe_characters import UNSAFE

POISON = "::stop-commands::y\n  ::add-mask::abc\n##[error]x ##vso[task]y \x1b]0;owned\x07\u202e"
PAST_VIVA = {
    "logging": "logging.getLogger(P).error('%s', P, stack_info=True)",
    "an exception": "logging.exception(P, exc_info=ValueError(P))",
    "warnings": "warnings.warn(P)",
    "descriptor": "os.write(1, P.encode())",
    "stream": "print(P, file=sys.__stderr__)",
    "program": "subprocess.run(['printf', '%s', P])",
    "thread": "(lambda thread: (thread.start(), thread.join()))(threading.Thread(target=lambda: int(P)))",
}


@pytest.mark.parametrize("options", [(), ("-o", "log_cli=true", "--log-file=log.txt"), ("--junitxml=log.txt", "-s")])
def test_what_an_agent_logs_or_writes_past_viva_is_shown_harmless_and_without_secrets(
    suite: Suite, options: tuple[str, ...]
):
    deeds = "".join(f"    if text == {name!r}: {deed}\n" for name, deed in PAST_VIVA.items())
    imports = "import logging, os, subprocess, sys, threading, warnings"
    body = f"P = {POISON!r} + os.environ['MY_KEY']\n\ndef echo(text):\n{deeds}    return 'fine'\n"
    suite.write("agent.py", f"{imports}\n{body}")
    suite.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\nvariables: {K: '${ENV.MY_KEY}'}\n")
    left_out = ("descriptor", "stream", "program") if "-s" in options else ()  # nobody stands in between
    names = [name for name in PAST_VIVA if name not in left_out]
    suite.write("c.viva.json", json.dumps([{"id": name, "input": name, "expected": "x"} for name in names]))
    done = suite.pytest("-rA", *options, "-o", "junit_logging=all", GITHUB_ACTIONS="true", MY_KEY="sk-Zq81x77-abc")
    assert done.code == 1, done.out
    log = suite.root / "log.txt"
    said = done.out + (log.read_text() if log.exists() else "")
    assert said.count("owned") >= len(names), said
    assert "sk-Zq81x77-abc" not in said, said
    assert not any(line.strip().startswith("::") for line in said.split("\n")), said
    assert not re.search(r"##\w*\[", said), said
    assert not re.search(UNSAFE, said.replace("\t", "")), said
