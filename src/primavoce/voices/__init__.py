"""Voice packs, the catalogue of voices, and blends of them."""
