"""CFR over all cells of a betting tree at once, in compiled code and in JAX."""
