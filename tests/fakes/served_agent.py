"""A small HTTP server as users write them: answers on the port it is given, notes its starts, has a child process."""

import json
import os
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HERE = str(Path(__file__))


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.end_headers()

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"]
        if "die" in asked:
            print("out of luck", flush=True)
            os._exit(7)
        if "hang" in asked:
            Path("hanging").touch()
            time.sleep(600)
        body = json.dumps({"answer": f"You said {asked}"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002


def main(port: int) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    with Path("starts").open("a") as starts:
        starts.write(f"{os.getpid()} {child.pid}\n")
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on {port}")
    server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
