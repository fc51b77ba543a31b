"""Sound bytes, damaged in ways that decoders are known to mind."""

from hypothesis import strategies as st

BOMBS = (
    b"[" * 20_000,
    b"{" * 20_000,
    b'{"a":' * 5_000,
    b"- " * 20_000,
    b"9" * 5_000,
    b"/*" * 5_000,
    b"//" * 5_000,
    b'\\"' * 5_000,
    b"<think>" * 3_000,
    b"```" * 3_000,
    b"&a [*a]",
    b"&a {<<: *a}",
    b" " * 20_000,
    b"," * 5_000,
    b"(" * 5_000,
    b"a{1000}" * 50,
)
TOKENS = (
    b"{ } [ ] : , \" \\ ' # & * ! | > % @ ` ? - --- ... << ~ ${ } $$ /* */ // ``` </think> <think> NaN -1 1e999 "
    b"Infinity 0x1 null true \xff \xed\xa0\x80 \xef\xbb\xbf \x00 \x1b[2J \r \n \t \\ud800 \\u0000 "
    b"!!python/name:os.system !!bool !!set !!float !!binary !!int "
    b"data: id turns input assert type file://../../x 99999999999999999999 1e-400"
).split(b" ")


@st.composite
def damaged(draw: st.DrawFn, sound: bytes) -> bytes:
    """A few cuts, copies and insertions."""
    data = sound
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(len(data), begin + draw(st.integers(0, 40)))
        match draw(st.integers(0, 4)):
            case 0:
                data = data[:begin] + data[end:]
            case 1:
                data = data[:end] + data[begin:end] * draw(st.integers(1, 3)) + data[end:]
            case 2:
                data = data[:begin] + draw(st.sampled_from(TOKENS)) + data[end:]
            case 3:
                data = data[:begin] + draw(st.binary(max_size=8)) + data[end:]
            case _:
                data = data[:begin]
    return data


def token_soup() -> st.SearchStrategy[bytes]:
    """What has the right words in the wrong order."""
    return st.lists(st.sampled_from([*TOKENS, b" ", b"\n", b"a", b": ", b"- "]), max_size=40).map(b"".join)
