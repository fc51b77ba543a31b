"""Checks: evidence → verdict. One file per family; the fields of a class are its syntax in case files."""
