"""Tapes: model calls kept on disk and answered from there."""
