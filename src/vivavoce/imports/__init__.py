"""Test files of other tools → viva's cases. Nothing is dropped in silence: what could not be translated is reported."""
