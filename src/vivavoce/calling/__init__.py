"""Calls models: finds a connector by its id, opens it once, keeps its pace and adds prices."""
