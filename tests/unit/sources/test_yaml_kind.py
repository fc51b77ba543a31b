"""Which YAML files are tests, nearly tests, viva's own, or somebody else's."""

import pytest

from vivavoce.sources.yaml_kind import YamlKind, kind_of_yaml


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("turns:\n- user: hi\n", YamlKind.TEST),
        ("{turns: [{user: hi}]}\n", YamlKind.FLOW_STYLE),
        ("- turns: [{user: hi}]\n", YamlKind.LIST),
        ("turn:\n- user: hi\n", YamlKind.MISSPELT),
        ("image: python\n", YamlKind.FOREIGN),
        ("{}\n", YamlKind.FOREIGN),
        ("# people\ntype: labels\nlabels:\n- {case: A, label: pass}\n", YamlKind.LABELS),
        ("labels: [bug]\ntype: labels\n", YamlKind.FOREIGN),
    ],
)
def test_a_file_is_known_by_its_content(text: str, kind: YamlKind):
    assert kind_of_yaml(text.encode()) is kind
