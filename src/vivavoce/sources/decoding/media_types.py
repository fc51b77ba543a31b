"""What a file is, told by its ending: the same on every machine."""

_IMAGES = {
    "bmp": "image/bmp",
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",
}
_DOCUMENTS = {
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "htm": "text/html",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "txt": "text/plain",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "yaml": "text/yaml",
    "yml": "text/yaml",
    "zip": "application/zip",
}
_CODE = {
    "bash": "text/x-shellscript",
    "c": "text/x-c",
    "conf": "text/plain",
    "cpp": "text/x-c++",
    "css": "text/css",
    "go": "text/x-go",
    "h": "text/x-c",
    "hpp": "text/x-c++",
    "ini": "text/x-ini",
    "java": "text/x-java",
    "js": "text/javascript",
    "jsx": "text/javascript",
    "less": "text/x-less",
    "php": "text/x-php",
    "py": "text/x-python",
    "rb": "text/x-ruby",
    "rs": "text/x-rust",
    "scss": "text/x-scss",
    "sh": "text/x-shellscript",
    "sql": "text/x-sql",
    "svelte": "text/x-svelte",
    "toml": "text/x-toml",
    "ts": "text/typescript",
    "tsx": "text/typescript",
    "vue": "text/x-vue",
    "yao": "application/json",
    "zsh": "text/x-shellscript",
}
_KNOWN = {**_DOCUMENTS, **_CODE, **_IMAGES}


def media_type(ending: str) -> str:
    """`pdf` → `application/pdf`; what nobody knows is plain bytes."""
    return _KNOWN.get(ending) or _from_the_system(ending) or "application/octet-stream"


def _from_the_system(ending: str) -> str | None:
    import mimetypes

    return mimetypes.guess_type(f"file.{ending}")[0]
