"""The time of a ring's links for a collective, in cycles: at the default rate (a beat every 8 cycles) and latency (64).

A reduction or a gathering sends (N - 1) / N of its bytes out of a chip, half of them each way, in packets of 32 beats and a
header; and its data goes around in N - 1 steps, each of the latency and 37 cycles: the start of a copy, a mover, a few
bundles and the landing. Measured on a model of such rings, both together take the times in `RINGS`, a little more than
the larger.
"""

from family.roofs import LANES

RATE = 8
LATENCY = 64
STEP = 37  # of a ring, in addition to the latency

# all_reduce, by preset and chips: 1 KiB, 64 KiB, 1 MiB. all_gather and reduce_scatter are half of one.
RINGS = {
    ("small", 4): {1024: 654, 65536: 6518, 1048576: 101594}, ("small", 8): {1024: 1414, 65536: 7574, 1048576: 118466},
    ("full", 4): {1024: 606, 65536: 1095, 1048576: 12854}, ("full", 8): {1024: 1414, 65536: 1837, 1048576: 14966},
}


def width(preset):
    """Bytes a cycle of a link, one way."""
    return 4 * LANES[preset] / RATE


def all_reduce(chips, size, preset):
    if known := RINGS.get((preset, chips), {}).get(size):
        return known
    return max(2 * (chips - 1) / chips * size / (2 * width(preset)) * 33 / 32, 2 * (chips - 1) * (STEP + LATENCY))


def links(name, chips, size, preset):
    """Cycles of collective `name` of `size` bytes on this number of chips."""
    if name == "all_to_all":  # each part to another chip, a quarter of the ring away on average
        return max(chips * size / (8 * width(preset)) * 33 / 32, STEP + chips // 2 * LATENCY)
    if name == "collective_permute":  # to the neighbour
        return size / width(preset) * 33 / 32 + STEP + LATENCY
    return all_reduce(chips, size, preset) / (1 if name == "all_reduce" else 2)
