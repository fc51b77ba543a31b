"""Labels in a YAML file: found by conversation, replaced by later ones, sorted, never lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.insight.calibration.labels import Label, Labels, add_labels, read_labels


def label(case: str = "a.jsonl::A", said: str = "pass", **more: str) -> Label:
    return Label(case=case, label="pass" if said == "pass" else "fail", **more)


def test_labels_are_read_back_in_the_same_bytes(tmp_path: Path):
    path = tmp_path / "labels.yaml"
    one, two = label("b.jsonl::B", conversation="f1"), label(conversation="0123456789012345", note="well:\nsaid")
    add_labels(path, [one, two])
    first = path.read_bytes()
    add_labels(path, [two])
    add_labels(path, [one])
    assert path.read_bytes() == first
    assert list(read_labels(path)) == [two, one]


def test_a_later_label_about_the_same_conversation_replaces_the_first(tmp_path: Path):
    path = tmp_path / "labels.yaml"
    add_labels(path, [label(conversation="f1")])
    add_labels(path, [label("moved/a.jsonl::A", "fail", conversation="f1")])
    assert [one.label for one in read_labels(path)] == ["fail"]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (label(conversation="f1"), True),
        (label("elsewhere/a.jsonl::A", conversation="f1"), True),
        (label(conversation="f2"), False),
        (label("A"), True),
        (label("a.jsonl::A"), True),
        (label("b.jsonl::A"), False),
        (label(conversation="f1", criterion="polite"), True),
        (label(conversation="f1", criterion="short"), False),
    ],
)
def test_a_label_is_found_by_its_conversation_or_its_case(written: Label, found: bool):
    assert (Labels([written]).find("a.jsonl::A", "f1", "polite") is not None) is found


def test_the_label_of_a_criterion_wins_over_that_of_the_conversation():
    labels = Labels([label(conversation="f1"), label(said="fail", conversation="f1", criterion="polite")])
    found = [labels.find("a.jsonl::A", "f1", criterion) for criterion in ("polite", "short", None)]
    assert [one and one.label for one in found] == ["fail", "pass", "pass"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("type: tape\n", "not a file of labels"),
        ("- a\n", "not a file of labels"),
        (
            "type: labels\nlabels:\n- {case: A, label: pass}\n- {case: A, label: maybe}\n",
            "labels.yaml:4: label: 'maybe' is neither pass nor fail",
        ),
        ("type: labels\nlabels:\n- A\n", "labels.yaml:3: this is not a label"),
        ("type: labels\nlabels:\n- {label: pass}\n", "`case` is required"),
        ("type: labels\nlabels:\n- {case: A, label: pass, lable: x}\n", "labels.yaml:3: a label has no 'lable'"),
    ],
)
def test_what_is_no_label_is_refused_with_its_line(tmp_path: Path, text: str, told: str):
    path = tmp_path / "labels.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as problem:
        read_labels(path)
    assert told in str(problem.value)
    with pytest.raises(UsageError):
        add_labels(path, [label()])
    assert path.read_text() == text


def test_two_people_who_disagree_in_one_file_are_told(tmp_path: Path):
    path = tmp_path / "labels.yaml"
    both = "type: labels\nlabels:\n- {case: A, label: pass}\n- {case: A, label: fail}\n"
    path.write_text(both)
    with pytest.raises(UsageError, match=r"labels.yaml:4: a second label of A says fail, an earlier one says"):
        read_labels(path)
    path.write_text(both.replace("fail", "pass"))
    assert len(read_labels(path)) == 1


def test_a_missing_file_says_who_makes_it(tmp_path: Path):
    with pytest.raises(UsageError, match="no such file"):
        read_labels(tmp_path / "labels.yaml")
    assert len(read_labels(tmp_path / "labels.yaml", must_exist=False)) == 0


def test_people_who_label_at_the_same_time_lose_nothing(tmp_path: Path):
    path = tmp_path / "labels.yaml"

    def add(number: int) -> None:
        add_labels(path, [label(conversation=f"f{number}")])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(24)))
    assert len(read_labels(path)) == 24
