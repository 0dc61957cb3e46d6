"""Programs from Python: one call, one instruction.

    from tandem.assembly import *

    with Program("small") as program:
        tensor("x", "f32", [8, 16], "in")
        ...
        with linear():
            with loop(0, 64, 8) as row:
                x = vld(row + tile)
                vst(row + tile, vmul_f32(x, 2.0))
            halt()
    run = tandem.Device().load(program.assemble())(x=...)

Explicit bundles are written in `with bundle():`, and name the register they write (`to=v[3]`); linear blocks have any
number of registers. Every operation takes `on=` (a predicate) and `slot=`. `tandem dis --as=python x.elf` prints such a
program.
"""

from tandem.assembly.copies import *  # noqa: F401,F403
from tandem.assembly.directives import *  # noqa: F401,F403
from tandem.assembly.instructions import *  # noqa: F401,F403
from tandem.assembly.machine import PRESETS, REGISTERS  # noqa: F401
from tandem.assembly.program import Program  # noqa: F401
from tandem.assembly.sizes import sizes_of  # noqa: F401
from tandem.assembly.structure import *  # noqa: F401,F403
from tandem.assembly.values import Expression, Label, a, f, hi, lo, m, p, s, v  # noqa: F401
