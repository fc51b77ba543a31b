"""`python -m vivavoce` is `viva`."""

from vivavoce.cli.entry import main

main()
