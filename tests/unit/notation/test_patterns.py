"""Patterns as people write them."""

import pytest

from vivavoce.notation.patterns import compile_pattern, compile_regex, refuse_bad_pattern, search


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("/error/g", "an error"),
        ("/error/gi", "an ERROR"),
        ("/error/iguy", "an ERROR"),
        ("/a.b/s", "a\nb"),
        ("/^b$/m", "a\nb"),
        ("/^b.c$/gims", "a\nB\nC"),
        ("/usr/bin", "see /usr/bin"),
        ("/api/v1", "GET /api/v1"),
        ("[/]error/", "an /error/ in slashes"),
        ("//g", "a //g"),
    ],
)
def test_flags_after_the_last_slash_are_flags_and_all_else_is_the_pattern(pattern: str, text: str):
    assert search(pattern, text) is not None


@pytest.mark.parametrize(("pattern", "text"), [("/usr/bin", "usr"), ("/api/v1", "api"), ("[/]error/", "an error")])
def test_slashes_without_flags_stand_for_themselves(pattern: str, text: str):
    assert search(pattern, text) is None


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("/error/", r"write error to find that, \[/\]error/ to find the slashes, too"),
        ("/error/ii", "the flag 'i' is written twice"),
        ("/error/gig", "the flag 'g' is written twice"),
        ("/error/v", r"the flag 'v' is not supported \(i, m and s are\)"),
        ("/error/id", "the flag 'd' is not supported"),
        ("/api/v", r"to find these slashes themselves, write \[/\]api/v$"),
    ],
)
def test_flags_that_say_nothing_sensible_are_refused(pattern: str, words: str):
    with pytest.raises(ValueError, match=words):
        compile_pattern(pattern)


@pytest.mark.parametrize("pattern", ["(?=a)", "^(?!.*error)", "(?<=a)b", "(?<!a)b"])
def test_who_looks_around_is_told_what_to_write_instead(pattern: str):
    with pytest.raises(ValueError, match=r"lookahead and lookbehind do not exist .* `negate`.* `must_not_match`"):
        compile_pattern(pattern)


def test_a_back_reference_is_told_as_one():
    with pytest.raises(ValueError, match="back-references do not exist"):
        compile_pattern(r"(a)\1")


def test_any_other_slip_is_told_as_re2_tells_it():
    with pytest.raises(ValueError, match=r"^bad regex '\(': missing \): \($"):
        compile_pattern("(")


def test_to_a_plain_regex_a_slash_is_a_letter():
    assert compile_regex("/users/s").search("GET /users/s")
    assert not compile_regex("/users/s").search("users")


@pytest.mark.parametrize("pattern", ["x*", ".*", "(a|b)?", "a{0,3}", "(?s).*", "/x*/i", r"\s*", "()"])
def test_a_pattern_that_every_text_has_is_refused(pattern):
    with pytest.raises(ValueError, match="is found in every text: it checks nothing"):
        refuse_bad_pattern(pattern)


@pytest.mark.parametrize("pattern", ["^$", "^x*$", "^.*$", "x+", r"\bx", "${NAME}*", "x|$^"])
def test_a_pattern_that_says_something_is_taken(pattern):
    refuse_bad_pattern(pattern)
