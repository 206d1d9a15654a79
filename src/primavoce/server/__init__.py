"""The session server: the ASGI application and its settings."""
