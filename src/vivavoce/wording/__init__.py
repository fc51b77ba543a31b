"""How things read: texts shortened and made safe for terminals, plurals, results in words."""
