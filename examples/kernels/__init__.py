"""Kernels written in Python, one call an instruction (tandem.assembly)."""
