"""What is known about an agent without calling it."""

from msgspec import Struct

from vivavoce.model.json_value import JsonObject


class ToolSpec(Struct, frozen=True, kw_only=True):
    """A tool offered to a model."""

    name: str
    description: str = ""
    parameters: JsonObject = {}


class WantedName(Struct, frozen=True):
    """A name in an agent's prompts that only the metadata of a call can fill."""

    name: str
    written: str
    """As the prompt writes it: `{{ persona }}`, `$CTX.PERSONA`."""
    place: str
    hint: str | None = None
    """The known name that was probably meant."""


class AgentCard(Struct, frozen=True, kw_only=True):
    """What is known about an agent without calling it."""

    id: str
    kind: str
    description: str = ""
    tools: tuple[ToolSpec, ...] = ()
    """Its tools, as a generator of test cases sees them."""
    connector: str | None = None
    chooses_connector: bool = False
    """Whether code of its own may choose a connector for each call."""
    wants: tuple[WantedName, ...] = ()
    """The names that its prompts take from a call's metadata. Empty if the agent's own code may set them."""
    has_more_tools: bool = False
    """Whether it has tools that are known only once it is called, such as those of MCP servers."""
    where: str = ""
    no_workspace: str = ""
    """Why this agent cannot work in a given folder. Empty if only its kind decides that."""
    one_turn: str = ""
    """Why it cannot take a second turn; empty if it can."""
