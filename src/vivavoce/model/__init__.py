"""What viva talks about, as plain data.

What there is once per case is kept from the garbage collector (`gc=False`): such data are trees, nothing in them ever
refers back to what holds it, and looking for circles in them would cost more than making them.
"""
