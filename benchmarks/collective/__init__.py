"""Collectives as JAX programs, and the time of links alone."""
