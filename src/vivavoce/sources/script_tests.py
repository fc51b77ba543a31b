"""`-i scripts.AGENT.MODULE`: every test function of a file as an ordinary case."""

from collections.abc import Iterator

from vivavoce.errors import UsageError
from vivavoce.model.case import SCRIPT_TESTS, AssertionSpec, CallOptions, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.project.project import Project
from vivavoce.script_testing.discovery import FoundTest, find_test_file, read_tests
from vivavoce.sources.input_ref import InputRef

_RESULT_OF_TEST = AssertionSpec(type="script_test", written={"type": "script_test"})


class ScriptTestsSource:
    """The tests of one file. The line of a case is the name of its function; the reply is the result of the test."""

    def __init__(self, ref: InputRef, project: Project) -> None:
        self._ref = ref
        self._path = find_test_file(ref.value, project)
        self._shown = project.shown(self._path)

    @property
    def label(self) -> str:
        return f"scripts.{self._ref.value}"

    def read(self) -> Iterator[Case | UsageError]:
        for found in read_tests(self._path, self._shown):
            yield self._case(found) if isinstance(found, FoundTest) else found

    def _case(self, test: FoundTest) -> Case:
        return Case(
            id=f"{self._ref.value}::{test.name}",
            origin=Origin(self._shown, test.line),
            name=test.description,
            agent=f"{SCRIPT_TESTS}{self._ref.value}",
            options=CallOptions(metadata=self._ref.params),
            turns=(ScriptedTurn(content=test.name),),
            assertions=(_RESULT_OF_TEST,),
            rules=ConversationRules(single_turn=True),
        )
