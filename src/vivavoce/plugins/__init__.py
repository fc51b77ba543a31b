"""What can be added to viva by name: the catalog of built-ins and the entry points of other packages."""
