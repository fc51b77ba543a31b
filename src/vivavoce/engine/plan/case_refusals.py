"""What a case may not ask, given what its agent takes."""

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.message import text_of_content
from vivavoce.model.server_request import request_in


def refuse_second_turn(case: Case, one_turn: str) -> None:
    """Raises UsageError for a conversation with an agent that takes one line only, with the given reason."""
    if one_turn:
        hint = "write a case for each line, each with one `input`"
        raise UsageError(f"the agent takes one line only: {one_turn}", at=case.origin, hint=hint)


def refuse_too_few_runs(case: Case, default_runs: int) -> None:
    """Raises UsageError for a `min_pass` that the runs of the case cannot reach."""
    runs = case.runs or default_runs
    if case.min_pass is not None and case.min_pass > runs:
        hint = f"write `runs: {case.min_pass}` or more beside it, or use --runs"
        raise UsageError(
            f"min_pass: {case.min_pass} of only {runs} {'run' if runs == 1 else 'runs'} cannot pass",
            at=case.origin,
            hint=hint,
        )


def refuse_requests(case: Case, *, takes_them: bool) -> None:
    """Raises UsageError for a turn that is a request where the agent takes words, and the other way round."""
    for turn in case.turns:
        if type(turn.content) is str and not takes_them:
            continue
        is_request = request_in(turn.content) is not None
        if is_request and not takes_them:
            what = f"{text_of_content(turn.content)} is a request for an MCP server, but the agent is not one"
            raise UsageError(what, at=case.origin, hint="write `mcp: {cmd: […]}` at the agent in viva.yaml")
        if takes_them and not is_request and not text_of_content(turn.content).lstrip().startswith("{"):
            hint = 'write {"call": NAME, "args": {…}}, {"list": "tools"}, {"read": URI} or {"prompt": NAME}'
            raise UsageError("an MCP server takes requests, not words", at=case.origin, hint=hint)


def refuse_silence(case: Case, *, simulated: bool) -> None:
    """Raises UsageError for a case with no line, no simulator of its own, and none given for all."""
    if case.turns or case.simulator is not None or (simulated and not case.rules.single_turn):
        return
    hint = "give 'input', 'messages', 'turns' or a 'simulator'"
    raise UsageError("no input: nobody says anything", at=case.origin, hint=hint)
