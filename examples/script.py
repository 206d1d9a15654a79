"""Speak from a plain script: no event loop, no server.

python examples/script.py answer.pcm
"""

import sys
from pathlib import Path

import primavoce

if len(sys.argv) != 2:
    sys.exit(__doc__)
with Path(sys.argv[1]).open("wb") as file:
    for pcm in primavoce.speak(["Good ", "morning. ", "How are ", "you?"], voice="bf_emma"):
        file.write(pcm)
