# y = 2 x + 1 for a vector of any length that fits VMEM.
        .target small
        .include "../common/common.inc"

        .tensor x, f32, [n], in
        .tensor y, f32, [n], out

        .smem
        .align 16
setup:  .space 16                       # descriptor for the argument block
load:   .space 16                       # descriptor: x -> VMEM
store:  .space 16                       # descriptor: VMEM -> y
args:   .space 2 * 16                   # the argument block, 16 words a tensor

        .text
start:  fetch_arguments setup, args, 2

        # x to VMEM, from row 0 on
        descriptor load, in_hbm, in_vmem, 1
        tensor_address load, copy_source, args, 0
        s8 = sld [args + 9]             # bytes of x
        sst [load + copy_length], s8
        copy_and_wait load, f1

        s9 = sld [args + argument_sizes]        # n
        { s10 = mov 0 ; s11 = mov 2.0f ; v4 = vlane ; v5 = vsublane }
        { s12 = mov 1.0f ; s13 = mov LANES }
        v5 = vmul.s32 v5, s13
        v4 = vadd.s32 v4, v5            # element number: r * L + j

        # 8 rows a step; s9 counts the elements that are left
loop:   m1 = vlt.s32 v4, s9
        v1 = vld [s10], mask=m1
        v1 = vmul.f32 v1, s11
        { v1 = vadd.f32 v1, s12 ; s9 = sub s9, 8 * LANES }
        { vst [s10], v1, mask=m1 ; s10 = add s10, 8 ; p1 = gt.s32 s9, 0 }
        @p1 br loop

        descriptor store, in_vmem, in_hbm, 2
        tensor_address store, copy_target, args, 1
        sst [store + copy_length], s8
        copy_and_wait store, f2
        halt
