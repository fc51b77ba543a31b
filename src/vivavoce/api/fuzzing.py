"""`vivavoce.fuzz` and `afuzz`: variants of cases that an agent must handle, from Python."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from vivavoce.api.keywords import CaseInput, called_with
from vivavoce.api.waiting import for_people, waits_for
from vivavoce.app.find_shrinking import save_find
from vivavoce.app.fuzzing import Fuzzed, FuzzOptions, OnResult
from vivavoce.app.fuzzing import fuzz as fuzz_cases


@for_people
async def afuzz(
    cases: CaseInput | Iterable[CaseInput] | None = None,
    *,
    operators: str | Sequence[str] = (),
    variants: int = 200,
    paraphraser: str | None = None,
    candidates: int = 60,
    save: str | Path | None = None,
    on_progress: OnResult = lambda what, done, total: None,
    **options: Any,
) -> Fuzzed:
    """Changes the lines of cases and returns the variants that failed, each as small as it can be.

    With `save` the finds are added to that file as cases. `options` are those of `arun`: `agent`, `seed`, `runs`,
    `parallel`, `budget`, `time_limit`, …. Raises UsageError before the first call when anything is wrong.
    """
    call = called_with("afuzz", (cases,), options)
    asked = FuzzOptions(
        operators=(operators,) if isinstance(operators, str) else tuple(operators),
        variants=variants,
        paraphraser=paraphraser,
        candidates=candidates,
    )
    fuzzed = await fuzz_cases(call.request, asked, on_progress)
    if save is not None:
        for find in fuzzed.finds:
            save_find(find, Path(save))
    return fuzzed


fuzz = waits_for(afuzz, "fuzz")
