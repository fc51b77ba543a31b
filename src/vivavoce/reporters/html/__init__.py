"""The HTML report, and the front end that it shares with `viva view`."""
