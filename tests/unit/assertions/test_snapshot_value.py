from tests.fakes.evidence import call, evidence, turn

from vivavoce.assertions.snapshot_value import conversation_in, is_like, parting, tools_in

SEEN = evidence(
    turn("which one?", says="refund"),
    turn(
        "done", call("refund", {"order": "A-17", "amount": 25}, {"ok": True}), call("mail", error="down"), says="A-17"
    ),
)


def test_calls_are_kept_in_their_order_with_sorted_arguments():
    refund, mail = tools_in(SEEN, results=False)
    assert refund == {"tool": "refund", "args": {"amount": 25, "order": "A-17"}}
    assert list(refund["args"]) == ["amount", "order"]
    assert mail == {"tool": "mail"}


def test_results_are_kept_on_request():
    refund, mail = tools_in(SEEN, results=True)
    assert refund["result"] == {"ok": True}
    assert mail["error"] == "down"


def test_arguments_that_are_no_object_are_kept_as_they_are():
    assert tools_in(evidence(turn("", call("pay", "25 euros"))), results=False) == [{"tool": "pay", "args": "25 euros"}]


def test_a_conversation_is_its_turns():
    first, second = conversation_in(SEEN, results=False)
    assert first == {"user": "refund", "agent": "which one?"}
    assert list(second) == ["user", "calls", "agent"]
    assert second["calls"][1] == {"tool": "mail"}


def test_only_texts_may_be_nearly_the_same():
    def nearly(left: str, right: str) -> bool:
        return left.lower() == right.lower()

    assert is_like({"a": ["Yes", 1]}, {"a": ["yes", 1.0]}, nearly)
    assert not is_like({"a": ["Yes", 1]}, {"a": ["yes", 2]}, nearly)
    assert not is_like({"a": "x"}, {"b": "x"}, nearly)
    assert not is_like(["x"], ["x", "x"], nearly)
    assert not is_like(True, 1, nearly)


def test_a_changed_argument_is_one_difference_that_names_its_tool():
    before = [{"tool": "find"}, {"tool": "refund", "args": {"amount": 25, "to": {"iban": "X"}}}]
    after = [{"tool": "find"}, {"tool": "refund", "args": {"amount": 30, "to": {"iban": "X"}}}]
    assert parting(before, after) == [{"path": "refund[1].amount", "expected": 25, "actual": 30}]


def test_a_call_more_or_less_is_one_difference():
    find, pay, mail = {"tool": "find"}, {"tool": "pay"}, {"tool": "mail"}
    assert parting([find, mail], [find, pay, mail]) == [{"path": "[1]", "actual": pay}]
    assert parting([find, pay, mail], [find, mail]) == [{"path": "[1]", "expected": pay}]
