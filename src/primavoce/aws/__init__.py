"""What ``primavoce aws`` does: check, plan, deploy, verify, measure and take down; boto3 is imported when it is used.

What decides is pure and needs no account: `planning`, `growth`, `findings`, `endpoint`'s gate, `argv`. What asks the
account or runs other programs takes them as arguments.
"""
