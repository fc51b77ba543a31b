"""The web page of `viva view`: its server, its routes and its data."""
