"""The user's functions: found by reference, called here or in a process that can be killed."""
