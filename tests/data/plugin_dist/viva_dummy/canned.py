from typing import Any

from vivavoce.plugins import connector
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings


@connector("canned")
class Canned:
    """A model that always says the same."""

    def __init__(self, connector_id: str, options: dict[str, Any], surroundings: Surroundings) -> None:
        self.says = options["says"]

    async def complete(self, request: ModelRequest) -> ModelReply:
        return ModelReply(text=self.says)
