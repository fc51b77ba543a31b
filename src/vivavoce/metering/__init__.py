"""What calls cost and how fast they may come: pace, price list, expenses of an attempt."""
