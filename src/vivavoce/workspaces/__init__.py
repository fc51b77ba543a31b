"""Folders that agents work in: copied for each attempt, looked at afterwards, compared with the original."""
