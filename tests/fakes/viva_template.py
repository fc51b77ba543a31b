"""A process with viva's modules loaded, from which commands are forked: nine tenths of a short `viva` are imports.

Each command is a process of its own, as if the shell had started it: its own folder, variables, standard streams, guard
process, signals and exit code. Run as a script by tests/fakes/commands.py, which sends one message per command over the
socket whose number is the only argument, with four descriptors: the standard streams, and where the exit code goes.
"""

import gc
import json
import os
import signal
import socket
import sys
import tempfile
import types
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

VIVA = Path(sys.executable).parent / "viva"
LOADED_BY_MOST = ("aiohttp", "vivavoce.cli.main", "vivavoce.cli.commands.validate", "vivavoce.cli.commands.show")
AGENT = "def agent(messages):\n    return 'yes'\n"
CASES = """
{"id": "T1", "input": "hi", "assert": {"type": "contains", "value": "yes"}}
{"id": "T2", "input": "hi", "assert": [{"type": "regex", "value": "never"}, {"type": "json_path", "path": "a"}]}
"""
OUTPUTS = ("r.jsonl", "r.json", "r.md", "r.xml", "r.html")
LONGEST_MESSAGE = 1 << 20


def load_what_an_exam_needs() -> None:
    """Imports the modules that a small exam loads, in their order. The exam itself runs in a forked process."""
    for name in LOADED_BY_MOST:
        import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        # A project of its own: TMPDIR may lie in the project of the test that starts this process.
        (root / "viva.yaml").write_text("tests: cases.jsonl\n")
        (root / "agent.py").write_text(AGENT)
        (root / "cases.jsonl").write_text(CASES)
        names, exam = root / "modules", os.fork()
        if not exam:
            _run_the_exam(root, names)
        if os.waitstatus_to_exitcode(os.waitpid(exam, 0)[1]) != 1:
            raise RuntimeError("the exam that shows which modules are needed did not run to its end")
        for name in names.read_text().split():
            import_module(name)


def _run_the_exam(root: Path, names: Path) -> NoReturn:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.chdir(root)
    sys.argv = ["viva", "test", "-i", "cases.jsonl", "-n", "python:agent.py:agent", *(f"-o{name}" for name in OUTPUTS)]
    from vivavoce.cli.main import main

    try:
        main()
    except SystemExit as ended:
        names.write_text("\n".join(name for name in sys.modules if name.startswith("vivavoce.")))
        os._exit(ended.code if isinstance(ended.code, int) else 3)


def serve(requests: socket.socket) -> None:
    """Starts commands until the other end closes."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, LONGEST_MESSAGE, 4)
        if not message:
            return
        if not os.fork():
            requests.close()
            _keep(json.loads(message), descriptors)
        for number in descriptors:
            os.close(number)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _keep(request: dict[str, object], descriptors: list[int]) -> NoReturn:
    """Runs one command in a child; tells its process id, then its wait status."""
    *streams, answer = descriptors
    child = os.fork()
    if not child:
        os.close(answer)
        _become_viva(request, streams)
    for number in streams:
        os.close(number)
    os.write(answer, b"%d\n" % child)
    os.write(answer, b"%d\n" % os.waitpid(child, 0)[1])
    os._exit(0)


def _become_viva(request: dict[str, object], streams: list[int]) -> NoReturn:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(streams) + 1)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.argv = [str(VIVA), *request["arguments"]]
    sys.path[0] = str(VIVA.parent)
    sys.modules["__main__"] = script = types.ModuleType("__main__")
    script.__file__ = str(VIVA)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.enable()
    from vivavoce.cli.entry import main

    sys.exit(main())


def not_forked_by_user_code() -> None:
    """The command's process is forked, and by viva's guard once more: neither fork is the user's."""
    import vivavoce.cli.main as whole
    from vivavoce.containment.forked_child import go_on_as_viva

    command = whole.main

    def main() -> None:
        go_on_as_viva()
        command()

    whole.main = main


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    load_what_an_exam_needs()
    not_forked_by_user_code()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        serve(listening)
