"""Everything that keeps user code in its cage: what it prints, raises, forks, blocks and never ends."""
