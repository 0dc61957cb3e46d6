"""RMSNorm: y = x / sqrt(mean(x^2) + epsilon) * weight, each row by itself, fp32.

Tiles of 8 rows go through VMEM one after the other, L columns a block.
"""

from tandem.assembly import *

SUBLANES = 8


def rms_norm(rows: int, columns: int, *, epsilon: float = 1e-6, preset: str = "small") -> Program:
    """A program with inputs x [rows, columns] and weight [columns], and output y."""
    lanes = sizes_of(preset).lanes
    if rows % SUBLANES or columns % lanes or rows <= 0 or columns <= 0:
        raise ValueError(f"{rows} x {columns}: rows come in eights, columns in {lanes}s")
    blocks = columns // lanes  # a block is 8 rows of L columns, a vector
    row_bytes = 4 * lanes
    with Program(preset) as program:
        tensor("x", "f32", [rows, columns], "in")
        tensor("weight", "f32", [columns], "in")
        tensor("y", "f32", [rows, columns], "out")
        arguments()
        smem()
        align(16)
        load, load_weight, store = label(), new_label(), new_label()
        space(16)
        place(load_weight)
        space(16)
        place(store)
        space(16)
        vmem()
        tile = label()
        space(SUBLANES * blocks)
        scales = label()  # the weight, a row a block
        space(blocks)
        text()
        with linear():
            def vmem_place(row):
                return Place("vmem", row * row_bytes)

            tiles = [(SUBLANES, 4 * columns, row_bytes), (blocks, row_bytes, SUBLANES * row_bytes)]
            descriptor(load, argument_address(0), vmem_place(tile), row_bytes, tiles)
            descriptor(load_weight, argument_address(1), vmem_place(scales), 4 * columns, flag=2)
            back = [(count, to, by) for count, by, to in tiles]
            descriptor(store, vmem_place(tile), argument_address(2), row_bytes, back)
            to_weight, to_load, to_store = mov(load_weight), mov(load), mov(store)
            copy(to_weight + 0, s[0], s[0])
            wait(f[2], 1)
            with loop(0, rows * columns, SUBLANES * columns) as offset:
                copy(to_load + 0, offset, s[0])
                wait(f[1], 1)
                total = vmov(0.0)
                with loop(0, SUBLANES * blocks, SUBLANES) as row:
                    x = vld(row + tile)
                    vadd_f32(total, vmul_f32(x, x), to=total)
                mean = vmul_f32(lsum_f32(total), 1.0 / columns)
                scale = rsqrt(vadd_f32(mean, epsilon))
                weight_row = mov(scales)
                with loop(0, SUBLANES * blocks, SUBLANES) as row:
                    weight = vld(weight_row + 0, stride=0)
                    vst(row + tile, vmul_f32(vmul_f32(vld(row + tile), scale), weight))
                    add(weight_row, 1, to=weight_row)
                copy(to_store + 0, s[0], offset)
                wait(f[1], 2)
                fset(f[1], 0)
            halt()
    return program
