"""The numbers 0, 1 and 2 always belong to standard streams, also where viva was started without them."""

import os

_STDERR = 2


def hold_standard_descriptors() -> None:
    """Opens /dev/null for each missing one. Otherwise the next file opened would get its number.

    User code and every command it starts may read, write or close these three.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
