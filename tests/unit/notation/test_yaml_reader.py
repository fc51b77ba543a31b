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
