"""The command line: commands/ has one file per command, the rest is the terminal around them."""
