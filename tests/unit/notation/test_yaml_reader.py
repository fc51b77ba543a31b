import pytest

from vivavoce.errors import UsageError
from vivavoce.notation.yaml_reader import read_yaml_documents


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: x\nturns:\n\t- user: hi\n", "x.yaml:3: .*there is a tab: YAML is indented with spaces"),
        ("name: x\nturns: [\n", "x.yaml:3: bad YAML: [^()]*$"),
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
