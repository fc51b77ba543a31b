"""What calls cost and how fast they may be made: pace, price list, expenses of an attempt."""
