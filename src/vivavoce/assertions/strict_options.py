"""The `options` of an assertion that calls something."""

from vivavoce.model.case import CallOptions


class StrictOptions(CallOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Call options as a file writes them: a misspelt one is an error."""
