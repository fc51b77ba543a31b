from pathlib import Path

import pytest
from msgspec import UNSET

from vivavoce.errors import VivaError
from vivavoce.model.case import Case, Origin
from vivavoce.project.locked_files import locked_folder, replace_whole
from vivavoce.project.redaction import Secrets
from vivavoce.snapshots import snap_file
from vivavoce.snapshots.book import SnapshotBook, SnapshotMode, SnapshotValue


@pytest.fixture
def case(tmp_path: Path) -> Case:
    (tmp_path / "a.jsonl").write_text("{}")
    return Case(id="T1", origin=Origin(str(tmp_path / "a.jsonl"), 1))


def book(mode: SnapshotMode = "write new", secrets: Secrets | None = None) -> SnapshotBook:
    return SnapshotBook(mode, secrets or Secrets())


def settle(of: SnapshotBook, case: Case, value: object) -> str:
    return of.settle(case, [SnapshotValue("output", value, lambda approved: approved == value)])[0].decision


def test_the_first_value_is_written_and_the_others_of_the_run_are_compared(case: Case):
    one = book()
    assert one.approved(case, "output") is UNSET
    assert settle(one, case, "yes") == "written"
    assert settle(one, case, "yes") == "same"
    assert settle(one, case, "no") == "differs"
    assert book().approved(case, "output") == "yes"


def test_comparing_writes_nothing(case: Case):
    assert settle(book("compare"), case, "yes") == "differs"
    assert book().approved(case, "output") is UNSET


def test_an_update_replaces_a_value_once_per_run(case: Case):
    settle(book(), case, "old")
    update = book("update")
    assert settle(update, case, "new") == "updated"
    assert settle(update, case, "newer") == "differs"
    assert settle(update, case, "old") == "differs"
    assert book().approved(case, "output") == "new"


def test_an_update_does_not_replace_what_this_run_has_seen_again(case: Case):
    settle(book(), case, "old")
    update = book("update")
    update.confirm(case, "output")
    assert settle(update, case, "new") == "differs"


def test_what_another_process_approved_meanwhile_counts(case: Case):
    first, second = book(), book()
    assert second.approved(case, "output") is UNSET
    assert settle(first, case, "theirs") == "written"
    assert settle(second, case, "mine") == "differs"


def test_no_secret_gets_into_a_snapshot():
    secrets = Secrets()
    secrets.add("s3cr3t-token")
    of = book(secrets=secrets)
    assert of.normalised({"header": "Bearer s3cr3t-token"}) == {"header": "Bearer ***"}


def test_values_that_are_settled_together_are_written_together_under_one_lock(
    case: Case, monkeypatch: pytest.MonkeyPatch
):
    written: list[str] = []

    def watched(path: Path, text: str) -> None:
        with pytest.raises(VivaError), locked_folder(path.parent, patience_s=0.01):
            pass
        written.append(text)
        replace_whole(path, text)

    monkeypatch.setattr(snap_file, "replace_whole", watched)
    values = [SnapshotValue(name, name, lambda approved: False) for name in ("output", "tools", "output")]
    assert [one.decision for one in book("update").settle(case, values)] == ["written", "written", "differs"]
    assert len(written) == 1
    assert (book().approved(case, "output"), book().approved(case, "tools")) == ("output", "tools")


def test_values_that_cannot_be_written_are_not_taken_for_settled(case: Case, monkeypatch: pytest.MonkeyPatch):
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    settle(book(), case, "old")
    update = book("update")
    with monkeypatch.context() as patch:
        patch.setattr(snap_file, "replace_whole", full)
        with pytest.raises(OSError, match="No space"):
            settle(update, case, "new")
    assert (update.approved(case, "output"), settle(update, case, "newer")) == ("old", "updated")
