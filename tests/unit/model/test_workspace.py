import msgspec

from vivavoce.model.workspace import Entry, FileChange, Workspace, WorkspaceAfter


def test_what_was_left_travels_and_says_nothing_twice():
    after = WorkspaceAfter(source="shop", files=("a",), changes=(FileChange(path="a", change="added", size=1),))
    line = msgspec.json.encode(after)
    assert msgspec.json.decode(line, type=WorkspaceAfter) == after
    assert msgspec.json.decode(line) == {
        "source": "shop",
        "files": ["a"],
        "changes": [{"path": "a", "change": "added", "size": 1}],
    }


def test_a_workspace_is_plain_data():
    workspace = Workspace(folder="/c", original="/o", name="o", before={"a": Entry(kind="link", link="b")})
    assert msgspec.json.decode(msgspec.json.encode(workspace), type=Workspace) == workspace
