"""The `--ctx` file: Yao's shape, and the flat one."""

import pytest

from vivavoce.engine.attempt.identity import context_of
from vivavoce.errors import UsageError


def test_a_flat_context_file_says_the_same_as_yaos_shape():
    flat = {"user_id": "u", "team_id": "t", "client_type": "web", "client_ip": "10.0.0.7"}
    nested = {"authorized": {"user_id": "u", "team_id": "t"}, "client": {"type": "web", "ip": "10.0.0.7"}}
    assert context_of(flat).identity == context_of(nested).identity == flat


def test_yaos_shape_counts_more_than_the_flat_one():
    assert context_of({"authorized": {"user_id": "a"}, "user_id": "b", "user": "c"}).identity == {"user_id": "a"}
    assert context_of({"user_id": "b", "user": "c", "team": "d"}).identity == {"user_id": "b", "team_id": "d"}


def test_a_key_that_nobody_would_read_is_refused():
    with pytest.raises(UsageError, match=r"ctx.json: unknown key 'usr_id' .*did you mean 'user_id'\?.*'metadata'"):
        context_of({"usr_id": "u"}, "ctx.json")
    with pytest.raises(UsageError, match="unknown key 'adress'"):
        context_of({"client": {"adress": "10.0.0.7"}})
    assert context_of({"metadata": {"anything": 1}, "authorized": {"tenant_id": "t"}}).metadata == {"anything": 1}
