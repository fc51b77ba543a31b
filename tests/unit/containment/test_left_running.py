from vivavoce.containment.left_running import left_running, note_left_running


def test_each_is_told_once_and_then_forgotten():
    left_running()
    note_left_running(["7 (sleep)", "8 (sh)"])
    note_left_running(["7 (sleep)"])
    assert left_running() == ("7 (sleep)", "8 (sh)")
    assert left_running() == ()
