"""The wire: messages, and the state machines of both ends; no I/O."""
