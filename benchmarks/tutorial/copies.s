# The cost of copies: the same 4096 bytes moved in several ways, each a region of its own.
#
#   tandem npy make x.npy --shape 65536
#   tandem run --on cycle --counters benchmarks/tutorial/copies.s --in x=x.npy
#
# docs/performance.md shows the cycles of each region and explains them.
        .target small
        .include "../common/common.inc"

        .tensor x, f32, [n], in         # 65536 elements
        .tensor y, f32, [n], out

        .equ bytes, 4096
        .equ other, bytes / 4           # words to a second part of VMEM

        .smem
        .align 16
setup:  .space 16
load:   .space 16
store:  .space 16
args:   .space 2 * argument_words

# The descriptor `at` := `count` runs of `length` bytes, `from` and `to` bytes apart.
.macro runs at, length, count, from, to
        store_word \at + copy_length, \length
        store_word \at + copy_inner, \count
        store_word \at + copy_inner + 1, \from
        store_word \at + copy_inner + 2, \to
.endm

        .text
        fetch_arguments setup, args, 2
        descriptor load, in_hbm, in_vmem, 1
        tensor_address load, copy_source, args, 0
        descriptor store, in_vmem, in_hbm, 2
        tensor_address store, copy_target, args, 1
        { s12 = mov other ; s13 = mov 1 }
        runs load, bytes, 1, 0, 0
        runs store, bytes, 1, 0, 0
        copy_and_wait load, f1          # the memory pages are open from here on
        copy_and_wait store, f2

load_alone: marker 1
        copy_and_wait load, f1
store_alone: marker 2
        copy_and_wait store, f2
load_then_store: marker 3
        copy [load], s0, s12
        copy [store], s0, s0
        wait f1, 1
        wait f2, 1
store_then_load: marker 4
        copy [store], s0, s0
        copy [load], s0, s12
        wait f1, 2
        wait f2, 2
        fset f1, 0
        fset f2, 0

set_rows: marker 5
        runs load, ROW_BYTES, bytes / ROW_BYTES, ROW_BYTES, ROW_BYTES
aligned_runs: marker 6
        copy_and_wait load, f1
unaligned_runs: marker 7
        copy_and_wait load, f1, s13
set_words: marker 8
        runs load, 4, bytes / 4, 256, 4
scattered_words: marker 9
        copy_and_wait load, f1
set_beat: marker 10
        runs load, 64, 1, 0, 0
one_beat: marker 11
        copy_and_wait load, f1
end:    marker 12
        halt
