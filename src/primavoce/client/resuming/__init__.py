"""Sessions that go on when their connection doesn't: `resuming` over any opener of links."""

from primavoce.client.resuming.link import resuming
from primavoce.client.resuming.policy import ResumePolicy

__all__ = ["ResumePolicy", "resuming"]
