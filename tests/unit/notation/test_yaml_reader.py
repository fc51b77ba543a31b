import time

import pytest

from vivavoce.errors import UsageError
from vivavoce.notation.yaml_reader import read_yaml_documents


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: x\nturns:\n\t- user: hi\n", "x.yaml:3: .*there is a tab: YAML is indented with spaces"),
        ("name: x\nturns: [\n", "x.yaml:3: bad YAML: [^()]*$"),
        ("a:\n  b: 1\n    c: 2\n", r"x.yaml:3: bad YAML: .*\(is it indented too far"),
        ("a:1\nb: 2\n", r"x.yaml:2: bad YAML: .*does a colon above lack its space"),
        ("a:\n  - b\n  c: 2\n", r"x.yaml:3: bad YAML: .*\(is it indented as far as"),
        ("a: {b: {c: 1}\nd: 2\n", r"x.yaml:2: bad YAML: .*\(is a bracket above not closed"),
        ("name: x\nturns: a\0b\n", "x.yaml:2: bad YAML: control characters are not allowed$"),
    ],
)
def test_what_is_wrong_is_said_on_one_line_with_its_place(text: str, complaint: str):
    with pytest.raises(UsageError, match=complaint) as error:
        list(read_yaml_documents(text, "x.yaml"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("number", [".nan", ".NaN", ".inf", "-.Inf", "+.INF", "1e400", "-1e999", "!!float .nan"])
@pytest.mark.parametrize("around", ["name: x\nlimit: %s\n", "name: x\nlimits: [1, {a: %s}]\n", "name: x\n%s: 1\n"])
def test_numbers_that_json_does_not_have_are_refused(number: str, around: str):
    with pytest.raises(UsageError, match=r"x.yaml:2: .*is no JSON number"):
        list(read_yaml_documents(around % number, "x.yaml"))


def test_every_other_number_is_read_as_it_was():
    (document,) = read_yaml_documents("[1.5, 1e16, -0.5, .5, 1., 1e-400]", "x.yaml")
    assert document.value == [1.5, 1e16, -0.5, 0.5, 1.0, 0.0]


def nested_aliases(levels: int, how: str) -> str:
    """Each level is ten times the one before."""
    lines = ["a0: &a0 {x: 1, y: 2}" if how == "{{<<: [{}]}}" else "a0: &a0 [x, y]"]
    lines += [f"a{n}: &a{n} {how.format(', '.join([f'*a{n - 1}'] * 10))}" for n in range(1, levels)]
    return "\n".join(lines)


THOUSAND = f"b: &b [{', '.join('x' * 1000)}]"
BOMBS = {
    "lists in lists": (nested_aliases(40, "[{}]"), "100,000 values that aliases repeat"),
    "merged maps": (nested_aliases(40, "{{<<: [{}]}}"), "100,000 values that aliases repeat"),
    "one list, very often": (f"{THOUSAND}\nc: [{', '.join(['*b'] * 101)}]", "100,000 values that aliases repeat"),
    "very deep": (f"{THOUSAND}\nc: {'[' * 400}{', '.join(['*b'] * 50)}{']' * 400}", "10,000,000 levels"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_aliases_unfold_is_counted_before_it_is_unfolded(bomb: str):
    text, limit = BOMBS[bomb]
    begin = time.thread_time()
    with pytest.raises(UsageError, match=f"too much YAML: more than {limit}"):
        list(read_yaml_documents(text, "bomb.yaml"))
    assert time.thread_time() - begin < 2


def test_an_anchor_that_contains_itself_is_an_error():
    with pytest.raises(UsageError, match="an anchor that contains itself"):
        list(read_yaml_documents("a: &a [*a]", "bomb.yaml"))


def test_aliases_may_repeat_a_good_deal():
    (document,) = read_yaml_documents(nested_aliases(4, "[{}]"), "fine.yaml")
    assert len(str(document.value)) > 2 * 10**3
