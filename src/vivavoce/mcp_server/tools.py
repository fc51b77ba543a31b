"""The tools of `viva mcp`: each checks what it was given and becomes one command."""

import tempfile
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

from vivavoce.mcp_server.confined import agent_name, project_path, recorded_run
from vivavoce.mcp_server.own_command import run_viva

Tool = Callable[..., Awaitable[str]]
INSTRUCTIONS = """viva tests AI agents: cases in files, an agent under test, verdicts.
A working loop: `list` the cases, `run` them, read each failure (what, where, expected, actual), `show` a case for its
whole conversation, change the agent or the case file, then `run` again; or `rejudge` when only the checks changed,
which calls no agent. Paths are relative to the project; `tests/a.jsonl::T1` is one case. Runs are named `last`,
`last~1`, or by id."""
_MOST_LISTED = 200


class Tools:
    """The tools over one project."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def offered(self, commands: Collection[str]) -> dict[str, Tool]:
        """The tools by name, of the commands this viva has."""
        every: dict[str, tuple[str, Tool]] = {
            "list": ("list", self.list_cases),
            "validate": ("validate", self.validate),
            "run": ("test", self.run),
            "show": ("show", self.show),
            "rejudge": ("rejudge", self.rejudge),
            "diff": ("diff", self.diff),
            "coverage": ("coverage", self.coverage),
        }
        return {name: tool for name, (command, tool) in every.items() if command in commands}

    async def list_cases(self, paths: list[str] | None = None, keywords: str | None = None) -> str:
        """List the test cases that would run, one `path::id` a line. Calls no agent.

        paths: files or folders of the project; leave out for the project's own tests.
        keywords: only cases whose path, id, name or tags match, like "refund and not slow".
        """
        lines = (await self._viva("list", *_words(keywords), *self._sources(paths))).splitlines()
        *cases, total = lines or [""]
        more = len(cases) - _MOST_LISTED
        left_out = [f"… and {more} more: narrow them with paths or keywords"] if more > 0 else []
        return "\n".join([*cases[:_MOST_LISTED], *left_out, total])

    async def validate(self, paths: list[str] | None = None) -> str:
        """Check case files, configuration and agents without calling any agent. All problems come with file and line.

        paths: files or folders of the project; leave out for the project's own tests.
        """
        return await self._viva("validate", *self._sources(paths))

    async def run(
        self,
        paths: list[str] | None = None,
        agent: str | None = None,
        keywords: str | None = None,
        failed_only: bool = False,
        runs: int = 1,
        parallel: int | None = None,
        message: str | None = None,
    ) -> str:
        """Run test cases against an agent. Returns one block per failure, and PASS, FAIL or SKIPPED in the last line.

        paths: files or folders of the project, or one case as `tests/a.jsonl::T1`; leave out for the project's tests.
        agent: the agent under test, by its name in viva.yaml; leave out for the one the cases name.
        keywords: only cases whose path, id, name or tags match, like "refund and not slow".
        failed_only: only the cases that did not pass last time.
        runs: how often each case is run.
        parallel: how many conversations at once.
        message: send this one message to the agent instead of running cases; the answer shows its reply.
        """
        flags = [f"--name={agent_name(agent)}"] if agent else []
        flags += _words(keywords)
        flags += ["--last-failed"] if failed_only else []
        flags += [f"--runs={runs}"] if runs != 1 else []
        flags += [f"--parallel={parallel}"] if parallel is not None else []
        flags += [f"--message={message}"] if message else []
        # The history keeps the run; a result file for every call would only fill the project.
        with tempfile.TemporaryDirectory(prefix="viva-mcp-") as folder:
            results = str(Path(folder) / "results.jsonl")
            text = await run_viva(["test", *flags, *self._sources(paths)], self._root, VIVA_OUTPUT=results)
        return "\n".join(line for line in text.splitlines() if line != f"results: {results}")

    async def show(self, run: str = "last", case: str | None = None) -> str:
        """Show a recorded run: its failures; or with `case` one case with its whole conversation. Calls no agent.

        run: `last`, `last~1`, a run id, or a result file of the project.
        case: the id of a case, or `path::id`.
        """
        return await self._viva("show", "--", recorded_run(f"{run}::{case}" if case else run, self._root))

    async def rejudge(self, run: str = "last", paths: list[str] | None = None) -> str:
        """Judge recorded conversations again by the case files as they read now. Calls no agent.

        Use it after a change of assertions: it tells at once whether the recorded replies pass.

        run: `last`, `last~1`, a run id, or a result file of the project; `::CASE` may follow.
        paths: the case files, when they are not where they were.
        """
        inputs = [f"--input={project_path(path, self._root)}" for path in paths or ()]
        return await self._viva("rejudge", *inputs, "--", recorded_run(run, self._root))

    async def diff(self, before: str = "last~1", after: str = "last") -> str:
        """Compare two recorded runs: what broke, what was fixed. Calls no agent.

        before, after: `last`, `last~1`, a run id, or a result file of the project.
        """
        return await self._viva("diff", "--", recorded_run(before, self._root), recorded_run(after, self._root))

    async def coverage(self, run: str = "last") -> str:
        """Show which tools and arguments of the agent the cases of a recorded run exercised. Calls no agent.

        run: `last`, `last~1`, a run id, or a result file of the project.
        """
        return await self._viva("coverage", "--", recorded_run(run, self._root))

    async def _viva(self, *arguments: str) -> str:
        return await run_viva(arguments, self._root)

    def _sources(self, paths: list[str] | None) -> list[str]:
        return ["--", *(project_path(path, self._root) for path in paths)] if paths else []


def _words(keywords: str | None) -> list[str]:
    return [f"--keywords={keywords}"] if keywords else []
