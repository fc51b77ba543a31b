"""OpenAI Evals: registries and samples."""

from pathlib import Path

from tests.unit.imports.example_files import DATA, case_in, left_out


def samples(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "samples.jsonl"
    file.write_text("\n".join(lines))
    return file


def test_the_class_of_the_registry_says_how_answers_are_compared():
    assert case_in("openai")["assert"] == [{"type": "regex", "value": "^(?:Yes|yes)"}]


def test_samples_alone_are_compared_as_the_option_says():
    file = DATA / "openai-evals" / "samples.jsonl"
    assert case_in("openai", file, check="includes")["assert"] == [
        {"type": "contains", "value": ["Yes", "yes"], "any": True}
    ]


def test_a_choice_is_a_letter(tmp_path: Path):
    file = samples(tmp_path, '{"input": "Which?", "choices": ["red", "seven"], "ideal": "A"}')
    case = case_in("openai", file, check="MultipleChoice")
    assert "A) red" in case["input"]
    assert case["assert"] == [{"type": "regex", "value": r"^\W*(?:A)\b"}]


def test_json_is_one_of_the_ideal_values(tmp_path: Path):
    file = samples(tmp_path, '{"input": "x", "ideal": ["{\\"a\\": 1}", "[2]"]}')
    assert case_in("openai", file, check="JsonMatch")["assert"] == [
        {"type": "equals", "value": [{"a": 1}, [2]], "any": True}
    ]
    assert left_out("openai", samples(tmp_path, '{"input": "x", "ideal": "y"}'), check="JsonMatch") == [
        "JsonMatch: its `ideal` is no JSON object or list"
    ]


def test_a_class_that_is_python_and_a_sample_without_an_ideal_are_left_out(tmp_path: Path):
    file = samples(tmp_path, '{"input": "x", "ideal": "y"}', '{"input": "x"}', '{"ideal": "y"}')
    assert left_out("openai", file, check="MyEval") == [
        "a sample without `input`",
        "the class myeval: its check is Python; write it as a script",
        "a sample without `ideal`",
    ]


def test_samples_that_are_not_there_are_told(tmp_path: Path):
    (tmp_path / "shop.yaml").write_text(
        "shop:\n  class: evals.elsuite.basic.match:Match\n  args: {samples_jsonl: no.jsonl}\n"
    )
    assert left_out("openai", tmp_path / "shop.yaml") == ["shop: its samples no.jsonl are not there"]


def test_samples_of_another_folder_are_not_read(tmp_path: Path):
    secret = tmp_path / "secret.jsonl"
    secret.write_text('{"input": "Hi", "ideal": "secret"}')
    registry = tmp_path / "a" / "b" / "shop.yaml"
    registry.parent.mkdir(parents=True)
    registry.write_text(f"shop: {{class: x:Match, args: {{samples_jsonl: {secret}}}}}\n")
    assert left_out("openai", registry) == [f"shop: its samples {secret} are not there"]
