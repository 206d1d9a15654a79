"""What `primavoce.client.verify` asks of a server: one conversation, and the checks that are made in it."""
