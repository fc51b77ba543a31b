import pytest

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.json_paths import compile_path, plain_steps


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("$", ()),
        ("$.a.b", ("a", "b")),
        ("a.b", ("a", "b")),
        ("a..b", ("a", "b")),
        ("a[0].b", ("a", 0, "b")),
        ("[1]", (1,)),
        ("$[-1]", (-1,)),
        ("b-c.@type", ("b-c", "@type")),
        ("$..b", None),
        ("a[*]", None),
        ("$['a']", None),
        ("", None),
    ],
)
def test_plain_paths_are_walked(path: str, steps: tuple[str | int, ...] | None):
    assert plain_steps(path) == steps


@pytest.mark.parametrize("path", ["", "  ", "$.", "$.a.", "$.a[", "a b", "$[?@.x ==", "$.a | $.b"])
def test_a_malformed_path_is_an_error(path: str):
    with pytest.raises(ValueError, match="JSON path"):
        compile_path(path)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b", [1]),
        ("a.c", []),
        ("a.b.c", []),
        ("l[1]", [2]),
        ("l[2]", []),
        ("l.x", []),
        ("l[*]", [1, 2]),
        ("[*].b", [1]),
    ],
)
def test_what_a_path_leads_to(path: str, found: list[object]):
    assert compile_path(path).find({"a": {"b": 1}, "l": [1, 2]}) == found


def test_only_some_paths_can_lead_to_many():
    assert compile_path("$['a']['b']").leads_to_one
    assert not compile_path("$..b").leads_to_one


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ('$[?match(@, "a+!")]', 1),
        ('$[?match(@, "a+")]', 0),
        ('$[?search(@, "a+")]', 1),
        ('$[?search(@, "/a/i")]', 0),
        ('$[?match(@, "(a+)+$")]', 0),
        ('$[?search(@, "^(a+)+$")]', 0),
        ("$[?match(@, 1)]", 0),
    ],
)
def test_patterns_in_filters_take_no_time(path: str, found: int):
    assert len(compile_path(path).find(["a" * 40 + "!", 7])) == found


@pytest.mark.parametrize("pattern", ["(", "a(?=b)"])
def test_a_bad_pattern_in_a_filter_makes_a_bad_path(pattern: str):
    with pytest.raises(ValueError, match=r"bad JSON path .*: bad regex"):
        compile_path(f'$[?!match(@, "{pattern}")]')


def test_a_bad_pattern_in_the_document_is_an_error_and_no_match():
    with pytest.raises(ValueError, match="bad regex"):
        compile_path("$[?!search(@, $.p)]").find({"p": "("})


@pytest.mark.fuzz
def test_a_path_that_finds_the_same_values_again_and_again_is_given_up():
    """Five descents into sixty levels are five million values."""
    document: JsonValue = 1
    for _ in range(60):
        document = {"a": document}
    with pytest.raises(ValueError, match="leads to more than 100,000 values, the limit for a JSON path"):
        compile_path("$..a..a..a..a..a").find(document)


@pytest.mark.parametrize("path", ["$.a", "$.a[*]", "$.a[?@.x == 1]", "$..a[0:2]", "$['a'][*]", "$[*]"])
def test_a_place_is_there_although_nothing_is_chosen_in_it(path: str):
    assert compile_path(path).has_place_in({"a": []})


@pytest.mark.parametrize("path", ["$.b", "$.b[*]", "$.b[?@.x == 1]", "$..b", "$.a[*].b"])
def test_a_place_that_is_missing(path: str):
    assert not compile_path(path).has_place_in({"a": []})
