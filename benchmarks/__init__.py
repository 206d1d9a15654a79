"""Measurements that print a table; nothing here is installed."""
