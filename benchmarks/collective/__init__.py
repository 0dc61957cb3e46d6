"""Collectives as JAX programs, and what links alone take."""
