"""The `--ctx` file: Yao's shape, and the flat one."""

from vivavoce.engine.attempt.identity import context_of


def test_a_flat_context_file_says_the_same_as_yaos_shape():
    flat = {"user_id": "u", "team_id": "t", "client_type": "web", "client_ip": "10.0.0.7"}
    nested = {"authorized": {"user_id": "u", "team_id": "t"}, "client": {"type": "web", "ip": "10.0.0.7"}}
    assert context_of(flat).identity == context_of(nested).identity == flat


def test_yaos_shape_counts_more_than_the_flat_one():
    assert context_of({"authorized": {"user_id": "a"}, "user_id": "b", "user": "c"}).identity == {"user_id": "a"}
    assert context_of({"user_id": "b", "user": "c", "team": "d"}).identity == {"user_id": "b", "team_id": "d"}
