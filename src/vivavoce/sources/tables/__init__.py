"""Tables of rows, and the cases made from them."""
