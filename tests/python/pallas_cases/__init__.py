"""Pallas kernels for TPU, whose values are those of JAX's interpreter on the CPU."""
