"""quarantine.yaml: read with lines, refused with lines, added to without changing what people wrote."""

from datetime import date

import pytest

from vivavoce.errors import UsageError
from vivavoce.insight.quarantine.quarantine_entry import RELEASE_AFTER, QuarantineEntry
from vivavoce.insight.quarantine.quarantine_file import quarantine_in, with_entries

ENTRY = QuarantineEntry(case="a.jsonl::T9", agent="shop", why="flaky: 3 of 5", until=date(2026, 12, 31))
WRITTEN = """\
# ours
type: quarantine
release_after: 4
cases:
# the vendor knows
- {case: T1, why: "vendor: #12", until: 2026-12-01}   # ask Ann
- case: T2
  why: seldom
  until: 2026-11-30
"""


def test_a_new_file_reads_back():
    found = quarantine_in(with_entries("", [ENTRY], "q.yaml"), "q.yaml")
    (entry,) = found.entries
    assert (entry.case, entry.agent, entry.why, entry.until) == (ENTRY.case, ENTRY.agent, ENTRY.why, ENTRY.until)
    assert found.release_after == RELEASE_AFTER


def test_what_people_wrote_stays_as_it_is():
    text = with_entries(WRITTEN, [ENTRY], "q.yaml")
    assert text.startswith(WRITTEN)
    found = quarantine_in(text, "q.yaml")
    assert [entry.case for entry in found.entries] == ["T1", "T2", "a.jsonl::T9"]
    assert found.entries[1].at.line == 7
    assert found.release_after == 4


@pytest.mark.parametrize(
    "text", ["type: quarantine\ncases: []\n", "type: quarantine\ncases:", "type: quarantine\ncases:\n"]
)
def test_an_empty_list_can_be_added_to(text: str):
    assert len(quarantine_in(with_entries(text, [ENTRY, ENTRY], "q.yaml"), "q.yaml").entries) == 2


def test_a_file_that_cannot_be_added_to_is_refused():
    text = "type: quarantine\ncases:\n- {case: T1, why: x, until: 2026-12-01}\nrelease_after: 3\n"
    with pytest.raises(UsageError, match="no entry can be added") as raised:
        with_entries(text, [ENTRY], "q.yaml")
    assert raised.value.hint is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cases: []\n", "type: quarantine"),
        ("- T1\n", "q.yaml: not a quarantine"),
        ("type: quarantine\ncases: T1\n", "q.yaml:2: cases is not a list"),
        ("type: quarantine\ncases:\n- T1\n", "q.yaml:3: not an entry"),
        ("type: quarantine\ncases:\n- case: T1\n  until: 2026-12-01\n", "q.yaml:3: why is missing"),
        ("type: quarantine\ncases:\n- case: T1\n  why: x\n  until: soon\n", "until is not a date: 'soon'"),
        ("type: quarantine\ncases:\n- case: T1\n  why: x\n  untill: 2026-12-01\n", "did you mean 'until'"),
        ("type: quarantine\nrelease_after: 0\n", "q.yaml:2: release_after"),
        ("type: quarantine\ncases: [\n", "bad YAML"),
    ],
)
def test_mistakes_are_told_with_their_line(text: str, said: str):
    with pytest.raises(UsageError) as raised:
        quarantine_in(text, "q.yaml")
    assert said in str(raised.value)


def test_an_empty_file_holds_nothing():
    assert quarantine_in("", "q.yaml").entries == ()
