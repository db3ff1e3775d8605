"""Seeded faults against a running home, and what must hold in spite of them."""
