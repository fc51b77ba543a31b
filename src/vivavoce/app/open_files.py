"""Many conversations need many open files: the limit is raised as far as it goes, and told when that is too little."""

import resource
import sys

_OUR_OWN = 64
_PER_CONVERSATION = 4
"""A connection, or the pipes of a command; perhaps one for a judge or simulator."""


def warn_of_too_few_files(parallel: int) -> None:
    """Raises the limit of open files as far as so many conversations need; says on stderr when that is too little."""
    if (too_few := make_room(parallel)) is not None:
        print(f"viva: {too_few}", file=sys.stderr)


def make_room(parallel: int) -> str | None:
    """Raises the soft limit when it may not do. Returns a warning when even the hard limit cannot."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = parallel * _PER_CONVERSATION + _OUR_OWN
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= parallel + _OUR_OWN:
        return None
    return (
        f"--parallel {parallel} needs about {parallel + _OUR_OWN:,} open files, but only {soft:,} are allowed "
        f"(raise the limit with `ulimit -Hn`, or use --parallel {max(1, soft - _OUR_OWN)})"
    )
