"""Grouped matrix multiply, as for experts of a network: the rows of x are sorted by group, and each group has a matrix
of its own. bf16 products, fp32 sums.
"""

from tandem.assembly import *

SUBLANES = 8
ACCUMULATORS = REGISTERS["a"]


def grouped_matmul(rows: int, inner: int, columns: int, groups: int, *, preset: str = "small"
                   ) -> Program:
    """A program with inputs x [rows, inner], w [groups, inner, columns], sizes s32 [groups], output
    y [rows, columns]. The sizes are read at run time: multiples of 8, 512 at most, together `rows`.
    """
    lanes = sizes_of(preset).lanes
    if rows % SUBLANES or inner % lanes or columns % lanes:
        raise ValueError(f"rows come in eights, inner size and columns in {lanes}s")
    chunks = inner // lanes
    row_bytes = 4 * lanes
    block_rows = SUBLANES * chunks  # VMEM rows of 8 rows of x
    with Program(preset) as program:
        tensor("x", "f32", [rows, inner], "in")
        tensor("w", "f32", [groups, inner, columns], "in")
        tensor("sizes", "s32", [groups], "in")
        tensor("y", "f32", [rows, columns], "out")
        arguments()
        smem()
        align(16)
        descriptors = label()
        space(4 * 16)
        sizes = label()
        space(groups)
        vmem()
        x = label()
        space(rows * chunks)
        weights = label()
        space(inner)
        y = label()
        space(SUBLANES * ACCUMULATORS)
        text()
        with linear():
            x_tiles = [(SUBLANES, 4 * inner, row_bytes),
                       (chunks, row_bytes, SUBLANES * row_bytes),
                       (rows // SUBLANES, 4 * inner * SUBLANES, block_rows * row_bytes)]
            descriptor(descriptors, argument_address(0), Place("vmem", x * row_bytes), row_bytes,
                       x_tiles)
            descriptor(descriptors + 16, argument_address(1), Place("vmem", weights * row_bytes),
                       row_bytes, [(inner, 4 * columns, row_bytes)], flag=2)
            descriptor(descriptors + 32, argument_address(2), Place("smem", sizes * 4), 4 * groups)
            descriptor(descriptors + 48, Place("vmem", y * row_bytes), argument_address(3), row_bytes,
                       [(0, row_bytes, 4 * columns)], flag=3)
            copies, size_words = mov(descriptors), mov(sizes)
            copy(copies + 0, s[0], s[0])
            copy(copies + 32, s[0], s[0])
            wait(f[1], 2)
            done = mov(0)  # rows of the groups before
            with loop(0, groups) as group:
                size = sld(add(size_words, group))
                sst(copies + (48 + 7), size)
                with when(gt_s32(size, 0)):
                    last = shr(size, 3)
                    first_block = mul(done, chunks)
                    with loop(0, columns, lanes) as column:
                        offset = add(mul(group, inner * columns), column)
                        copy(copies + 16, offset, s[0])
                        wait(f[2], 1)
                        fset(f[2], 0)
                        multiply(chunks, lanes, first_block, last, x, weights)
                        row = mov(0)
                        with loop(0, last) as block:
                            vst(row + y, mxread(a[block]))
                            add(row, SUBLANES, to=row)
                        copy(copies + 48, s[0], add(mul(done, columns), column))
                        wait(f[3], 1)
                        fset(f[3], 0)
                    add(done, size, to=done)
            halt()
    return program


def multiply(chunks, lanes, first_block, blocks, x, weights):
    """accumulator b := block b of x times the weights, for as many blocks as the group has."""
    for chunk in range(chunks):
        for row in range(0, lanes, SUBLANES):
            mxpush(row, vld(weights + (chunk * lanes + row)).f32)
        x_row = add(first_block, chunk * SUBLANES)
        mxmul_bf16(a[0], vld(x_row + x).f32, add=chunk > 0, swap=True)
        with loop(mov(1), blocks) as block:
            add(x_row, chunks * SUBLANES, to=x_row)
            mxmul_bf16(a[block], vld(x_row + x).f32, add=chunk > 0)
