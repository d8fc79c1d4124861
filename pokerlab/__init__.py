"""pokerlab: a laboratory for poker programs. `docs/adr/0001-the-house.md` says which room holds what."""

from pokerlab.caches import keep_kernels_by_content

__version__ = "0.1.0"

keep_kernels_by_content()
