"""From a program over several devices to the program of one of them.

    python -m tandem.partition < global.artifact > partitioned

JAX hands a plugin whole programs: global shapes, and shardings that are not propagated yet. What each
device does is said by the program itself where it is all manual (`shard_map`, `pmap`), else by XLA's own
partitioner, which jaxlib brings. The plugin runs this as a process of its own, so that neither MLIR nor
XLA is part of it (python/pjrt/programs/partitioner.cpp), and keeps what comes out.
"""
