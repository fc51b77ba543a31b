"""Errors and answers of each model API, as its own clients read them."""
