// A program that has something of everything that lockstep compares.
#pragma once

namespace tandem {

// Something of everything: all spaces written, copies to all memories, a volatile CSR, a loop.
inline constexpr const char* planted_program = R"(
        .target nano
        .data
words:  .u32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
out:    .space 256
        .text
start:  { s4 = mov 0x00040000 ; s1 = mov 1 }
        { sb: sst [0], s0 }
        { sb: sst [1], s1 ; s5 = mov words }
        { sb: sst [2], s5 ; s6 = mov 64 }
        { sb: sst [6], s6 }
        { sb: sst [7], s1 }
        { sb: sst [10], s1 }
        { sb: sst [13], s1 ; s7 = mov 0x400 }
        { sb: sst [0], s7 }
        { copy [s0], s0, s0 }
        { wait f0, 1 }
        { s7 = mov 0x800 ; s8 = mov 1024 }
        { sb: sst [0], s7 }
        { sb: sst [4], s8 }
        { copy [s0], s0, s0 }
        { wait f0, 2 }
        { s8 = mov out ; sb: sst [0], s0 }
        { sb: sst [4], s8 }
        { copy [s0], s0, s0 }
        { wait f0, 3 }
        { s9 = mov 3 ; v1 = vld [0], rows=2 }
loop:   { s9 = sub s9, 1 ; p1 = ne s9, 1 ; v2 = vmul.s32 v1, s9 ; m1 = vlt.s32 v1, v2 }
        { va: v3 = vadd.s32 v2, v1 ; vb: s10 = mpop m1 ; vst [8], v1, mask=m1 ; xu: v4 = lrot v2, 3 }
        { mx: mxpush 0, v1.lo ; xu: v5 = rcp v1 }
        { mx: mxmul.s8 a3, v1.b0, rows=4, swap ; xu: s11 = extract v1, 3 }
        { mx: v6 = mxread a3 ; fadd f5, 7 ; sb: s12 = csr cycles_lo }
        { fset f6, 9 ; sb: s13 = sld [0] ; vst [16], v3 }
        { sa: marker 4 }
        { sa: @p1 br loop }
)";

// Its two endings: trapping and halting are different things to compare.
inline constexpr const char* planted_halt = "        { halt }\n";
inline constexpr const char* planted_trap = "        { trap 77 }\n        { halt }\n";

}  // namespace tandem
