"""Finding and reading viva.yaml: the project's plug-ins first, then everything that may name them."""
