"""From a program over several devices to the program of one of them.

    python -m tandem.partition < global.artifact > partitioned

JAX hands a plugin whole programs: global shapes, and shardings that are not propagated yet. The program itself
describes each device's part if it is all manual (`shard_map`, `pmap`); otherwise XLA's own partitioner, which is in
jaxlib, derives it. The plugin runs this as a process of its own, so that neither MLIR nor XLA is part of it
(python/pjrt/programs/partitioner.cpp), and caches the result.
"""
