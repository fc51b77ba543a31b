"""viva's data structures, without I/O.

Structures that exist once per case are not tracked by the garbage collector (`gc=False`): they never contain cycles,
and searching them for cycles would cost more than creating them.
"""
