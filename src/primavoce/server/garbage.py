"""Garbage, and how little of the event loop's time its collection may take."""

import gc

FULL_EVERY = 2
"""Collections of the middle generation between two full ones, instead of Python's ten: what many sessions leave behind
in cycles is collected in pieces of a few milliseconds."""


def spare_what_is_loaded() -> None:
    """Have the garbage collector never again look at what there is now; for a process that only serves from here on.

    Libraries and the model's tables are some 130,000 objects. To look at them all takes 80 ms, in which nothing else is
    done, on whichever thread makes the object that is one too many; and none of them is ever garbage.
    """
    gc.collect()
    gc.freeze()
    youngest, middle, _ = gc.get_threshold()
    gc.set_threshold(youngest, middle, FULL_EVERY)
