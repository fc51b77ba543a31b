"""The media type of a file by its suffix: the same on every machine."""

from functools import cache
from mimetypes import MimeTypes

_OFFICE = "application/vnd.openxmlformats-officedocument"
_BETTER = {
    "application/json": "yao",
    "application/xml": "xml",
    f"{_OFFICE}.presentationml.presentation": "pptx",
    f"{_OFFICE}.spreadsheetml.sheet": "xlsx",
    f"{_OFFICE}.wordprocessingml.document": "docx",
    "image/webp": "webp",
    "text/javascript": "js jsx",
    "text/markdown": "md",
    "text/plain": "conf",
    "text/typescript": "ts tsx",
    "text/x-c": "c h",
    "text/x-c++": "cpp hpp",
    "text/x-go": "go",
    "text/x-ini": "ini",
    "text/x-java": "java",
    "text/x-less": "less",
    "text/x-php": "php",
    "text/x-ruby": "rb",
    "text/x-rust": "rs",
    "text/x-scss": "scss",
    "text/x-shellscript": "bash sh zsh",
    "text/x-sql": "sql",
    "text/x-svelte": "svelte",
    "text/x-toml": "toml",
    "text/x-vue": "vue",
    "text/yaml": "yaml yml",
}
"""Types that the standard library does not know, or names in a way that agents do not understand."""


def media_type(ending: str) -> str:
    """`pdf` → `application/pdf`; an unknown suffix is plain bytes."""
    return _types().guess_type(f"file.{ending}", strict=False)[0] or "application/octet-stream"


@cache
def _types() -> MimeTypes:
    """The library's own table and ours; unlike `mimetypes.guess_type` it reads no files of the system."""
    types = MimeTypes()
    for kind, endings in _BETTER.items():
        for ending in endings.split():
            types.add_type(kind, f".{ending}")
    return types
