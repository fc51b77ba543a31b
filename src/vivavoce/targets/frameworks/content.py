"""What a line holds, for frameworks that take words only."""

from vivavoce.errors import CallFailed
from vivavoce.model.message import Content, text_of_content, words_of_content


def words_only(content: Content, framework: str) -> str:
    """The words. Raises CallFailed where something else is with them."""
    if isinstance(content, str):
        return content
    others = [part for part in content if part.get("type") != "text"]
    if others:
        kinds = words_of_content(others).replace("\n", ", ")
        raise CallFailed(f"viva sends {framework} agents texts only, and not {kinds}", fault="test")
    return text_of_content(content)
