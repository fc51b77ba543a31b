"""A check added to a case that is written in YAML."""

from typing import Any

from vivavoce.sources.editing.added_check import LISTS, AddedCheck, CannotInsert


def add_to_yaml(text: str, line: int, added: AddedCheck) -> str:
    """Returns the text with the check in the document that begins on this line. Raises CannotInsert."""
    import yaml

    try:
        compose_all: Any = getattr(yaml, "compose_all")  # noqa: B009 - it has no types
        # The same loader that reads case files: the one in Python refuses some files that this one accepts.
        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        nodes: list[Any] = [node for node in compose_all(text, loader) if node is not None]
    except yaml.YAMLError:
        raise CannotInsert from None
    owner: Any = next((node for node in nodes if node.start_mark.line + 1 == line), None)
    if added.turn is not None:
        turns: Any = _member(owner, "turns")
        items: list[Any] = turns.value if isinstance(turns, yaml.SequenceNode) else []
        owner = items[added.turn - 1] if added.turn <= len(items) else None
    if not isinstance(owner, yaml.MappingNode) or not owner.value:
        raise CannotInsert
    keys = LISTS[added.field]
    for key in keys:
        found: Any = _member(owner, key)
        if isinstance(found, yaml.SequenceNode) and found.value:
            return _in_list(text, found, added.text)
        if isinstance(found, yaml.MappingNode):
            return _made_a_list(text, found, added.text)
    free = next((key for key in keys if _member(owner, key) is None), None)
    if free is None:
        raise CannotInsert
    return _in_mapping(text, owner, free, added.text)


def _member(node: Any, name: str) -> Any:
    """The value of a key; None when the node has no such key."""
    import yaml

    pairs: list[tuple[Any, Any]] = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


def _in_list(text: str, node: Any, check: str) -> str:
    if node.flow_style:
        end = _end_of(text, node.value[-1])
        return f"{text[:end]}, {check}{text[end:]}"
    return _new_line(text, node, f"{' ' * node.start_mark.column}- {check}")


def _made_a_list(text: str, node: Any, check: str) -> str:
    """Turns a single entry into a list with the new one; an empty entry is dropped."""
    start: int = node.start_mark.index
    if not node.value:
        return f"{text[:start]}[{check}]{text[node.end_mark.index :]}"
    end = _end_of(text, node)
    if node.flow_style:
        return f"{text[:start]}[{text[start:end]}, {check}]{text[end:]}"
    first, *rest = text[start:end].split("\n")
    indented = "\n".join([f"- {first}", *(f"  {line}" if line.strip() else line for line in rest)])
    behind = text.find("\n", end)
    tail = text[end:] if behind < 0 else text[end:behind]
    after = "\n" if behind < 0 else text[behind:]
    return f"{text[:start]}{indented}{tail}\n{' ' * node.start_mark.column}- {check}{after}"


def _in_mapping(text: str, node: Any, key: str, check: str) -> str:
    if node.flow_style:
        end = _end_of(text, node.value[-1][1])
        return f"{text[:end]}, {key}: [{check}]{text[end:]}"
    indent = " " * node.start_mark.column
    return _new_line(text, node, f"{indent}{key}:\n{indent}  - {check}")


def _new_line(text: str, node: Any, written: str) -> str:
    """Adds lines after those of a node; a comment on its last line stays there."""
    end = text.find("\n", _end_of(text, node))
    return f"{text}\n{written}\n" if end < 0 else f"{text[:end]}\n{written}{text[end:]}"


def _end_of(text: str, node: Any) -> int:
    """The end of the last character of a node. The end marks of blocks are after the blank lines that follow."""
    import yaml

    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        end: int = node.end_mark.index
        return len(text[:end].rstrip())
    last = node.value[-1]
    return _end_of(text, last[1] if isinstance(last, tuple) else last)
