import pytest

from vivavoce.project.settings import SnapshotReplacement
from vivavoce.snapshots.normalising import DEFAULTS, normalised

UUID = "0c6f3b1e-52f1-4f6b-9d4b-7a1f0a5b9c11"
OTHER = "1d7a4c2f-63a2-4a7c-8e5c-8b2a1b6c0d22"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"order {UUID}.", "order <uuid-1>."),
        ("at 2026-11-16T20:04:17.123Z", "at <time>"),
        ("at 2026-11-16 20:04:17+01:00, then", "at <time>, then"),
        ("Mon, 16 Nov 2026 20:04:17 GMT", "<time>"),
        ("call_9vKq2mZ8xYt1LrAa", "<id-1>"),
        ("toolu_01A09q90qw90lq917835lq9", "<id-1>"),
        ("chatcmpl-A1b2C3d4E5f6G7", "<id-1>"),
        ("9f86d081884c7d659a2feaa0c55ad015", "<id-1>"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "<id-1>"),
    ],
)
def test_ids_and_times_get_a_name(text: str, kept: str):
    assert normalised(text, DEFAULTS) == kept


@pytest.mark.parametrize(
    "text",
    [
        "order A-17 of 2026-11-16, 25 euros, at 12:30",
        "account 4111111111111111",
        "call_center_is_open_today",
        "step-by-step-instructions",
        "task_management_overview",
        "ABCDEFGHJKMNPQRSTVWXYZABCD",
    ],
)
def test_what_a_person_would_miss_stays(text: str):
    assert normalised(text, DEFAULTS) == text


def test_the_same_id_is_recognised_where_it_comes_again():
    value = {"made": UUID, "used": [OTHER, UUID]}
    assert normalised(value, DEFAULTS) == {"made": "<uuid-1>", "used": ["<uuid-2>", "<uuid-1>"]}


def test_equal_times_are_no_sign_of_anything():
    value = ["2026-11-16T20:04:17Z", "2026-11-16T20:04:18Z"]
    assert normalised(value, DEFAULTS) == ["<time>", "<time>"]


def test_a_number_is_a_time_by_its_size_and_its_name():
    value = {"created_at": 1763323457, "ts": 1763323457123, "amount": 1763323457, "paid_at": 12}
    assert normalised(value, DEFAULTS) == {"created_at": "<time>", "ts": "<time>", "amount": 1763323457, "paid_at": 12}


def test_the_project_decides_what_is_replaced():
    own = SnapshotReplacement(r"ORD-\d+", "<order>")
    assert normalised(f"ORD-12 {UUID}", [own]) == f"<order> {UUID}"
    assert normalised("on 2026-11-16", ["date"]) == "on <date>"
    assert normalised(UUID, []) == UUID


def test_a_replacement_is_taken_literally():
    assert normalised("ab", [SnapshotReplacement("(a)", r"\1\g<0>")]) == r"\1\g<0>b"
