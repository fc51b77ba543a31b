"""Errors and answers in the shape of each model API, as its own clients read them."""
