"""What leaves through the stream is harmless on every terminal and in every CI log."""

import io
import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.containment.safe_stream import SafeStream, data_stream, redact_with, write_command, write_data
from vivavoce.wording.unsafe_characters import UNSAFE

ACTIONS = {"GITHUB_ACTIONS": "true"}


class Screen(io.BytesIO):
    def isatty(self) -> bool:
        return True


def stream(env: Mapping[str, str] = {}, *, screen: bool = False) -> SafeStream:
    made = SafeStream(Screen() if screen else io.BytesIO(), encoding="utf-8", errors="surrogatepass", newline="")
    made.pass_own(env)
    return made


def sent(out: SafeStream) -> str:
    out.flush()
    return bytes(out.buffer.getvalue()).decode("utf-8", "surrogatepass")  # type: ignore[attr-defined]


@given(st.lists(st.text(st.characters())))
def test_no_unsafe_character_leaves(texts: list[str]):
    out = stream()
    for text in texts:
        out.write(text)
    assert not re.search(UNSAFE, sent(out).replace("\t", ""))


@given(st.lists(st.sampled_from(["\x1b", "[", "2", "0", "m", "K", "\r", "31", ";", "]0;", "\x07", "x"])))
def test_on_a_coloured_screen_only_our_own_sequences_pass(pieces: list[str]):
    out = stream(screen=True)
    out.write("".join(pieces))
    left = sent(out)
    for own in ("\x1b[0m", "\x1b[1m", "\x1b[2m", *(f"\x1b[3{n}m" for n in range(1, 8)), "\r\x1b[2K"):
        left = left.replace(own, "")
    assert not re.search(UNSAFE, left)


@pytest.mark.parametrize(
    ("env", "screen", "text", "wanted"),
    [
        ({}, True, "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"),
        ({"NO_COLOR": "1"}, True, "\x1b[31mred", "\\x1b[31mred"),
        ({}, False, "\x1b[31mred", "\\x1b[31mred"),
        ({"FORCE_COLOR": "1"}, False, "\x1b[31mred", "\x1b[31mred"),
        ({}, True, "\r\x1b[2K", "\r\x1b[2K"),
        ({}, False, "\r\x1b[2K", "\\x0d\\x1b[2K"),
        ({}, True, "\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ({}, False, "a\tb\r\nc", "a\tb\nc"),
    ],
)
def test_what_passes(env: dict[str, str], screen: bool, text: str, wanted: str):
    out = stream(env, screen=screen)
    assert out.write(text) == len(text)
    assert sent(out) == wanted


@pytest.mark.parametrize(
    "texts",
    [
        ["::stop-commands::x\n"],
        ["  ::add-mask::x\n"],
        ["said:\n\t::error::x"],
        ["##[error]x"],
        ["so: ##[group]x"],
        ["##vso[task.setvariable variable=x]y"],
        ["one\n", "::error::x"],
        ["\u2003::error::x"],
        ["", " ", "::error::x"],
        [":", ":error::x"],
        ["##", "[error]x"],
        ["#", "#vs", "o[task]x"],
        [" " * 100, ":", ":error::x"],
    ],
)
def test_nothing_said_becomes_a_workflow_command(texts: list[str]):
    assert_no_command(texts)


def assert_no_command(texts: list[str]) -> None:
    out = stream(ACTIONS)
    for text in texts:
        out.write(text)
    said = sent(out)
    assert not any(line.strip().startswith("::") for line in said.split("\n"))
    assert not re.search(r"##\w*\[", said)
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", "".join(texts))  # only blanks are added


@given(st.lists(st.text(st.sampled_from(":# \n[ev\t"), max_size=6), max_size=12))
def test_no_pieces_make_a_workflow_command_together(texts: list[str]):
    assert_no_command(texts)


def test_two_colons_inside_a_line_stay():
    out = stream(ACTIONS)
    out.write("tests/a.jsonl")
    out.write("::T001 ok\n")
    assert sent(out) == "tests/a.jsonl::T001 ok\n"


def test_our_own_commands_are_sent():
    out = stream(ACTIONS)
    write_command(out, "::add-mask::abc")
    assert sent(out) == "::add-mask::abc\n"


def test_data_is_exact_in_a_pipe_and_harmless_on_a_screen():
    pipe, screen = stream(), stream(screen=True)
    for out in (pipe, screen):
        write_data(out, "\x9b1m\r\n")
        data_stream(out).write(b"\xc2\x9b1m")
    assert sent(pipe) == "\x9b1m\r\n\x9b1m"
    assert sent(screen) == "\\x9b1m\n\\x9b1m"


def test_no_secret_leaves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(SafeStream, "mask", SafeStream.mask)
    redact_with(lambda text: text.replace("sk-secret", "***"))
    out = stream()
    out.masks = True
    out.write("key sk-secret\n")
    write_data(out, "sk-secret\n")
    write_command(out, "::add-mask::sk-secret")
    assert sent(out) == "key ***\n***\n::add-mask::sk-secret\n"
