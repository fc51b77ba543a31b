"""A project with a secret in every place where one can stand, whose agents say all of them, in every spelling."""

import base64
import html
import json
import re
import sqlite3
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

IN_THE_ENVIRONMENT = ("HEADER", "CASE", "VARIABLE", "CONNECTOR", "BODY", "TOOL", "UNNAMED_KEY")
WRITTEN_OUT = (
    *("TYPED_HEADER", "PASSWORD", "QUERY", "TOKEN", "SETTING", "TYPED_KEY", "IN_ENV_FILE", "CAMEL", "TOGETHER", "DSN"),
    *("URL_FLAG", "HEADER_FLAG", "JSON_WORD", "BODY_KEY", "BODY_BEARER", "NAMED", "CHECK_HEADER", "CHECK_WORD", "HOOK"),
)
PLAIN, ODD = "sk-{}-Zq81x77", "q/{}\"\\w é%41+<&>'z7 "
SHAPES = ("plain", "odd")
ODD_ONES = ("HEADER", "CASE", "TYPED_HEADER", "TOKEN")
"""Each has hundreds of spellings, and every command looks for all of them."""
AGENT = """
import json, logging, pathlib, sys, warnings

SAID = json.loads(pathlib.Path(__file__).with_name("planted.json").read_text())
ALL = " | ".join(SAID)

def reply(messages):
    asked = json.dumps(messages[-1]["content"])
    if "raise" in asked:
        raise ValueError(ALL)
    if "print" in asked:
        print(ALL), print(ALL, file=sys.stderr), logging.getLogger("x").error(ALL), warnings.warn(ALL)
    if "tools" in asked:
        calls = [{"name": one[:60], "args": {one: one}, "result": {"x": one}} for one in SAID[:20]]
        return {"content": ALL, "tool_calls": [*calls, {"name": "failing", "args": {"x": ALL}, "error": ALL}]}
    if "data" in asked:
        return {"content": json.dumps({"k": ALL}), "data": {ALL: SAID}, "state": {"s": ALL}, "reasoning": ALL}
    return "I heard " + asked + " and know " + ALL
"""
COMMAND = """
import json, sys
ALL = " | ".join(json.load(open("planted.json")))
print(ALL, file=sys.stderr)
print(ALL)
"""
SCRIPTS = """
import json, pathlib, sys
ALL = " | ".join(json.loads(pathlib.Path(__file__).parent.with_name("planted.json").read_text()))
def told(*args): print(ALL); print(ALL, file=sys.stderr); return {"data": ALL}
def raises(*args): raise ValueError(ALL)
def check(*args): return {"passed": False, "message": ALL}
def write(*args, **named): print(ALL); return ALL
"""


def spellings(secret: str) -> dict[str, str]:
    """How a text is written in addresses, in JSON (also inside JSON), in HTML, in Python and in base64."""
    ascii_json, plain_json = json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]
    return {
        "as it is": secret,
        "without blanks": secret.strip(),
        "percent": quote(secret, safe=""),
        "percent, small": re.sub("%..", lambda code: code[0].lower(), quote(secret, safe="")),
        "JavaScript": quote(secret, safe="!'()*"),
        "form": quote_plus(secret),
        "percent twice": quote(quote(secret, safe=""), safe=""),
        "JSON": ascii_json,
        "JSON in JSON": json.dumps(ascii_json)[1:-1],
        "JSON, not ASCII": plain_json,
        "JSON in JSON, not ASCII": json.dumps(plain_json, ensure_ascii=False)[1:-1],
        "JSON with \\/": plain_json.replace("/", "\\/"),
        "base64": base64.b64encode(secret.encode()).decode().rstrip("="),
        "base64 of addresses": base64.urlsafe_b64encode(secret.encode()).decode().rstrip("="),
        "HTML": html.escape(secret),
        "Python": repr(secret)[1:-1],
    }


class PlantedProject:
    """The files of the project, what its environment holds, and the search for a secret in what viva made of them."""

    def __init__(self, root: Path, shape: str) -> None:
        self.root = root
        self.environment = {place: _secret(place, shape) for place in IN_THE_ENVIRONMENT}
        # What is typed ends where its line or word ends.
        self.typed = {place: _secret(place, shape).strip() for place in WRITTEN_OUT}
        secrets = {**self.environment, **self.typed}
        self._looked_for = {
            f"{place}, {how}": text.encode()
            for place, secret in secrets.items()
            for how, text in spellings(secret).items()
        }
        everything = [*secrets.values(), *spellings(secrets["HEADER"]).values(), *spellings(secrets["TOKEN"]).values()]
        self._write("planted.json", json.dumps(everything))
        self._write("leaky.py", AGENT)
        self._write("command.py", COMMAND)
        self._write("scripts/s.py", SCRIPTS)
        self._write(".env", f"OF_THE_FILE_TOKEN={self.typed['IN_ENV_FILE']}\n")
        self._write("viva.yaml", json.dumps(self._configuration(), ensure_ascii=False))
        self._write("cases.jsonl", "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in self._cases()))
        typed = self.typed
        broken = {"id": "one", "input": f"hi {typed['TOKEN']}", typed["TOKEN"]: 1, "assert": {"type": typed["SETTING"]}}
        self._write("bad.jsonl", json.dumps(broken) + "\n{" + typed["SETTING"] + "\n")
        self._ours = {path for path in root.rglob("*") if path.is_file()}
        self._seen: dict[Path, tuple[int, int]] = {}

    @property
    def address(self) -> str:
        """Of an agent that nobody is, with a password and a key in it."""
        password, key = (quote(self.typed[place], safe="") for place in ("PASSWORD", "QUERY"))
        return f"http://user:{password}@127.0.0.1:9/run?api_key={key}"

    def _write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _configuration(self) -> dict[str, Any]:
        typed = self.typed
        headers = {"Authorization": "Bearer ${ENV.HEADER}", "X-Key": typed["TYPED_HEADER"]}
        command = [sys.executable, "command.py", "--token", typed["TOKEN"], f"--url=http://u:{typed['URL_FLAG']}@h/"]
        command += ["-H", f"Authorization: Bearer {typed['HEADER_FLAG']}", json.dumps({"password": typed["JSON_WORD"]})]
        env = {"MY_TOKEN": typed["SETTING"], "X": "${ENV.TOOL}", "PGPASSWORD": typed["TOGETHER"]}
        env |= {"accessToken": typed["CAMEL"], "DSN": f"Server=db;Password={typed['DSN']};Database=x"}
        body = {"q": "{{ message }}", "key": "${ENV.BODY}", "clientSecret": typed["BODY_KEY"]}
        body["login"] = f"Bearer {typed['BODY_BEARER']}"
        return {
            "agent": "leaky",
            "agents": {
                "leaky": {"python": "leaky.py:reply"},
                "judge": {"python": "leaky.py:reply", "description": "another"},
                "command": {"cmd": command, "env": env},
                "nobody": {"agui": self.address, "headers": headers},
                "http": {"http": {"url": "http://127.0.0.1:9/", "body": body, "reply": "$.answer"}},
            },
            "connectors": {
                "named": _connector("${ENV.CONNECTOR}"),
                "typed": _connector(typed["TYPED_KEY"]),
            },
            "variables": {"V": "${ENV.VARIABLE}", "SHOP_KEY": typed["NAMED"]},
        }

    def _cases(self) -> list[dict[str, Any]]:
        typed = self.typed
        left = {"type": "http", "url": "http://127.0.0.1:9/", "headers": {"X-Tenant": typed["CHECK_HEADER"]}}
        ran = {"type": "command", "cmd": ["true", "--api-key", typed["CHECK_WORD"]]}
        hook = {"cmd": ["true", "--token", typed["HOOK"]]}
        wanted = {"type": "contains", "value": "zzz ${ENV.CASE}", "message": "want ${ENV.CASE}"}
        return [
            {"id": "say", "input": "hello ${ENV.CASE} ${V}", "assert": wanted},
            {"id": f"id-{typed['TOKEN']}", "input": "hello", "name": typed["TYPED_HEADER"], "tags": [typed["SETTING"]]},
            {"id": "tools", "input": "tools", "assert": [{"type": "tool_called", "value": "nothing"}]},
            {"id": "data", "input": "data", "assert": [{"type": "json_path", "path": "$.k", "value": "x"}]},
            {"id": "raise", "input": "raise"},
            {"id": "print", "input": "print", "assert": {"type": "equals", "value": typed["TYPED_HEADER"]}},
            {"id": "talk", "turns": [{"input": "one ${ENV.CASE}"}, {"input": "tools"}]},
            {"id": "kept", "input": "hello", "assert": [{"type": "snapshot"}]},
            {"id": "hook", "input": "hello", "before": "scripts:s.told", "after": "scripts:s.raises"},
            {"id": "script", "input": "hello", "assert": [{"type": "script", "use": "scripts:s.check"}]},
            {"id": "world", "input": "hello", "hooks": [hook], "assert": [left, ran]},
            {"id": "judge", "input": "hello", "assert": [{"type": "agent", "use": "agents:judge", "value": "good?"}]},
        ]

    def found_in(self, data: bytes) -> set[str]:
        """The secrets that stand in these bytes, or in a text of the JSON that they are."""
        return {
            name
            for text in (data, *_texts_of_json(data))
            for name, looked_for in self._looked_for.items()
            if looked_for in text
        }

    def found_in_new_files(self) -> dict[str, set[str]]:
        """The secrets in every file that was written since the last time, by its name."""
        found: dict[str, set[str]] = {}
        for path in sorted(self.root.rglob("*")):
            if not path.is_file() or path in self._ours or "__pycache__" in path.parts:
                continue
            looked_like = (path.stat().st_mtime_ns, path.stat().st_size)
            if self._seen.get(path) != looked_like:
                self._seen[path] = looked_like
                if leaked := {name for data in _contents(path) for name in self.found_in(data)}:
                    found[str(path.relative_to(self.root))] = leaked
        return found


def _secret(place: str, shape: str) -> str:
    return (ODD if shape == "odd" and place in ODD_ONES else PLAIN).format(place)


def _connector(key: str) -> dict[str, Any]:
    return {"type": "openai", "options": {"model": "m", "key": key, "host": "http://127.0.0.1:9/v1"}}


def _contents(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()
    if path.suffix == ".db":
        store = sqlite3.connect(path)
        for (table,) in store.execute("select name from sqlite_master where type = 'table'").fetchall():
            for row in store.execute(f"select * from {table}"):
                yield from (_unpacked(value) for value in row if isinstance(value, bytes))
        store.close()


def _unpacked(value: bytes) -> bytes:
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value


def _texts_of_json(data: bytes) -> Iterator[bytes]:
    """What readers of JSON get to see: escapes are no letters of it."""
    whole = data.decode(errors="replace")
    for text in (whole, *whole.splitlines()):
        if text.lstrip().startswith(("{", "[")):
            try:
                yield "\0".join(_texts_in(json.loads(text))).encode(errors="replace")
            except ValueError:
                continue


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from (text for inner in value.values() for text in _texts_in(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in _texts_in(inner))
