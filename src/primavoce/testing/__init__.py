"""Stand-ins to test with: a fake engine, and servers that are broken on purpose."""
