"""Names in an agent's prompts that nothing would fill: the model would read `{{ persona }}` as it is written."""

from collections.abc import Sequence

from vivavoce.errors import ManyProblems, UsageError, did_you_mean
from vivavoce.model.agent_card import WantedName
from vivavoce.model.case import Case


def refuse_unknown_names(case: Case, wants: Sequence[WantedName]) -> None:
    """Raises UsageError for the names that neither the case's metadata nor that of each of its turns has."""
    unknown = [wanted for wanted in wants if not _is_given(wanted.name, case)]
    if unknown:
        raise ManyProblems([_problem(wanted, case) for wanted in unknown])


def _is_given(name: str, case: Case) -> bool:
    spellings = (name, name.lower())

    def has(metadata: dict[str, object]) -> bool:
        return any(spelling in metadata for spelling in spellings)

    turns = [turn.options.metadata for turn in case.turns if turn.options is not None]
    return has(case.options.metadata) or (len(turns) == len(case.turns) > 0 and all(map(has, turns)))


def _problem(wanted: WantedName, case: Case) -> UsageError:
    hint = did_you_mean(wanted.name, [*case.options.metadata]) or wanted.hint
    how = f'give the case options: {{"metadata": {{"{wanted.name}": …}}}}'
    if wanted.written.startswith("{{"):
        how += f', or write {{{{ {wanted.name} | default("") }}}}'
    return UsageError(f"the prompt uses {wanted.written}, which nothing fills in", at=wanted.place, hint=hint or how)
