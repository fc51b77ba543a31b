"""What `viva --help` shows. Imports nothing: it is shown before the command line parser is loaded."""

GROUPS = {
    "Begin": {
        "demo": "see it work: no key, no network, nothing written here",
        "init": "write a small working project to start from",
        "validate": "check files and configuration, reach no agent",
        "list": "list the cases that would run",
        "agents": "list the agents found and how each resolves",
        "import": "turn test files of other tools into cases",
    },
    "Examine": {
        "test": "examine an agent with test cases",
        "compare": "the same cases against several agents or models",
        "chat": "talk to an agent freely; /save turns it into a test",
        "record": "run tests and keep the agent's answers for replay",
        "tape": "check, compare and renew recorded model calls",
        "mcp-mock": "stand in for an MCP server: mocks, then tape, then the server",
    },
    "Look at results": {
        "show": "show a recorded run or case again",
        "view": "look at runs on a local web page, also while they go on",
        "report": "make any report again from a result file",
        "diff": "compare two runs: what broke, what was fixed",
        "history": "list the runs that were kept",
        "merge": "make one run of several result files, as of CI shards",
        "extract": "write each case of a run into a file of its own",
        "freeze": "turn a finished conversation into a static case",
    },
    "Over time": {
        "baseline": "results to compare later runs with",
        "flaky": "cases whose results differ although nothing changed",
    },
    "Are the tests any good": {
        "coverage": "what the tests exercised and checked of the agent",
        "mutate": "would the tests notice a bug? changes recorded conversations",
        "rejudge": "judge recorded conversations by today's cases",
        "snapshots": "approved answers: list, review, remove obsolete ones",
        "shrink": "the smallest conversation that still fails the same way",
        "fuzz": "break the agent on purpose: variants of your cases",
        "label": "say of recorded conversations whether they are good",
        "calibrate": "how far judges agree with people's labels",
    },
    "Tools": {
        "mcp": "serve this project's tests to coding agents (MCP)",
        "plugins": "list what other packages and the project add",
        "schema": "print the JSON Schema of case files or viva.yaml",
        "completion": "print the shell completion script",
    },
}
"""The commands in the order of the help, each with its line there. A command is a module of cli/commands."""

HELP_LINES = {name: line for lines in GROUPS.values() for name, line in lines.items()}

COMMANDS = tuple(HELP_LINES)

_BEFORE = """\
Usage: viva [OPTIONS] [COMMAND] [ARGS]...

  viva: the oral exam for AI agents.

Options:
  -V, --version  Show the version and exit.
  -h, --help     Show this message and exit.
"""
_BEHIND = """
  Examples:
    viva demo
    viva test -i tests/ -n python:my_app:agent
    viva test -i "What is your refund policy?" -n "openai:http://localhost:8000/v1?model=m"
    viva test -i tests/cases.jsonl --parallel 8 --runs 5 -o report.html"""


def help_page() -> str:
    """The whole page, without a line break at its end."""
    widest = max(map(len, COMMANDS))
    sections = (
        f"\n{title}:\n" + "".join(f"  {name:{widest}}  {line}\n" for name, line in lines.items())
        for title, lines in GROUPS.items()
    )
    return "".join([_BEFORE, *sections, _BEHIND])
