"""primavoce on AWS: three stacks, of which each builds on the one before."""
