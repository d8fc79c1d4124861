"""CFR on sampled deals and sampled boards."""
