"""The agent's state as its events tell it: snapshots, and JSON Patch deltas on top."""

from importlib import import_module
from typing import Any

from vivavoce.model.json_value import JsonValue, is_array


class SharedState:
    """The last state known; it is sent back with the next run."""

    def __init__(self, initial: JsonValue) -> None:
        self.value = initial
        self.told = False
        """Whether the agent ever spoke of its state."""

    def replace(self, snapshot: JsonValue) -> None:
        self.value = snapshot
        self.told = True

    def patch(self, operations: JsonValue) -> str | None:
        """Applies a delta as a whole or not at all. Returns what is wrong with it, if anything."""
        if not is_array(operations):
            return "STATE_DELTA carries no list of operations"
        jsonpatch: Any = import_module("jsonpatch")
        jsonpointer: Any = import_module("jsonpointer")
        try:
            self.value = jsonpatch.apply_patch(self.value, list(operations))
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError, KeyError) as error:
            return f"STATE_DELTA does not apply: {error}"
        self.told = True
        return None
