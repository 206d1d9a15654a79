"""The garbage collector, in a process of its own: what it is told outlives a test."""

import subprocess
import sys

PROGRAM = """
import gc
from primavoce.server.garbage import FULL_EVERY, spare_what_is_loaded

class Loop:
    def __init__(self):
        self.me = self

old = Loop()
spare_what_is_loaded()
assert gc.get_freeze_count() > 1000
assert gc.get_threshold()[2] == FULL_EVERY
assert not any(found is old for found in gc.get_objects())

new = Loop()
assert any(found is new for found in gc.get_objects())
del new
assert gc.collect() >= 1
"""


def test_what_is_loaded_is_looked_at_no_more_and_later_garbage_is() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=50)
