"""SwiGLU: y = silu(gate) * up, element by element, fp32; silu(g) = g / (1 + exp(-g))."""

from tandem.assembly import *

SUBLANES = 8
LOG2_E = 1.4426950408889634


def swiglu(size: int, *, preset: str = "small", vectors_a_tile: int = 64) -> Program:
    """A program with inputs gate and up, both [size], and output y [size]."""
    lanes = sizes_of(preset).lanes
    vector_size = SUBLANES * lanes
    if size <= 0 or size % vector_size:
        raise ValueError(f"{size} elements: whole vectors of {vector_size} are wanted")
    vectors = min(vectors_a_tile, size // vector_size)
    while size // vector_size % vectors:
        vectors -= 1
    words = vectors * vector_size
    with Program(preset) as program:
        tensor("gate", "f32", [size], "in")
        tensor("up", "f32", [size], "in")
        tensor("y", "f32", [size], "out")
        arguments()
        smem()
        align(16)
        descriptors = label()
        space(3 * 16)
        vmem()
        gate = label()
        space(SUBLANES * vectors)
        up = label()
        space(SUBLANES * vectors)
        text()
        with linear():
            places = [Place("vmem", rows * (4 * lanes)) for rows in (gate, up)]
            for number, place_ in enumerate(places):
                descriptor(descriptors + 16 * number, argument_address(number), place_, 4 * words)
            descriptor(descriptors + 32, places[0], argument_address(2), 4 * words, flag=2)
            copies = mov(descriptors)
            with loop(0, size, words) as offset:
                copy(copies + 0, offset, s[0])
                copy(copies + 16, offset, s[0])
                wait(f[1], 2)
                fset(f[1], 0)
                with loop(0, SUBLANES * vectors, SUBLANES) as row:
                    g = vld(row + gate)
                    power = exp2(vmul_f32(g, -LOG2_E))
                    silu = vmul_f32(g, rcp(vadd_f32(power, 1.0)))
                    vst(row + gate, vmul_f32(silu, vld(row + up)))
                copy(copies + 32, s[0], offset)
                wait(f[2], 1)
                fset(f[2], 0)
            halt()
    return program
