"""The lab: a home of devices on one Linux machine, each a network namespace with its own share of the processor."""
