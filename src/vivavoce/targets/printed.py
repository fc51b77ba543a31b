"""What an agent's code printed, put with the reply it was printed for."""

from msgspec import structs

from vivavoce.containment.captured_output import OutputLog
from vivavoce.model.message import AgentReply


def with_logs(reply: AgentReply, log: OutputLog) -> AgentReply:
    """The reply with what was printed while it was made."""
    text = log.text()
    return structs.replace(reply, logs=text) if text else reply
