"""How models are called: a connector by its id, opened once, in its pace and with its price."""
