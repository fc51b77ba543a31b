"""THE declaration of the built-in report formats. The catalog, `-o`, `-r` and their help are made from it.

Loaded with every pytest run, so nothing is imported here.
"""

REPORT_FORMATS = (
    ("json", (".json",), "json_report:write_json"),
    ("markdown", (".md", ".markdown"), "markdown:write_markdown"),
    ("html", (".html", ".htm"), "html.page:write_html"),
    ("xml", (".xml",), "junit:write_junit"),
    ("agent", (), "agent_format:write_agent_format"),
    ("summary", (), "brief:write_brief"),
)
"""Name (`-r report.NAME`), suffixes (`-o FILE.SUFFIX`), and the writer in `reporters/`."""
JOURNAL, JOURNAL_SUFFIX = "jsonl", ".jsonl"
"""The result file. It is written during the run, so it is not a report format like the others."""
SHOWN_SUFFIXES = " ".join([JOURNAL_SUFFIX, *(suffixes[0] for _, suffixes, _ in REPORT_FORMATS if suffixes)])
SHOWN_NAMES = "|".join(name for name, _, _ in REPORT_FORMATS)
