"""Where weights and voices come from: a manifest with SHA-256, sources, a cache.

`primavoce.assets.store.AssetStore` is what the rest of primavoce asks. Nothing is used before its digest is verified.
"""
