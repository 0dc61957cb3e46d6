# matmul_grouped: rows of A sorted by group, and a matrix of its own for each group, as for experts
# of a network: C[r] = A[r] B[g] for the rows r of group g. bf16, sums in fp32.
#   s4 A [m, k], s5 B [groups, k, n], s6 C [m, n], s7 sizes s32 [groups], together m
# matmul_batched: C[i] = A[i] B[i].
#   s4 A [count, m, k], s5 B [count, k, n], s6 C [count, m, n]
# Traps when there are more groups than 240, when sizes do not match; sizes of groups that
# add up to more than m are refused at the group that is too large.
#
# For each product entries of its parts of the tensors are written to SMEM, and matmul_bf16 called.
        .parameter matmul_grouped, a, bf16, [m, k], in
        .parameter matmul_grouped, b, bf16, [groups, k, n], in
        .parameter matmul_grouped, c, bf16, [m, n], out
        .parameter matmul_grouped, sizes, s32, [groups], in
        .parameter matmul_batched, a, bf16, [count, m, k], in
        .parameter matmul_batched, b, bf16, [count, k, n], in
        .parameter matmul_batched, c, bf16, [count, m, n], out

        .include "matmul_bf16.s"

        # the frame: entries of the parts of A, B and C, then values kept across calls
        .equ many_back, 48                      # where this returns to
        .equ many_left, 49                      # products to come
        .equ many_sizes, 50                     # SMEM word of the next group's size, 0: all alike
        .equ many_step_b, 51                    # bytes to the next matrix
        .equ many_step_a, 52                    # of batches
        .equ many_step_c, 53
        .equ many_rows, 54                      # rows of A that are left
        .equ many_pitch_a, 55                   # bytes of a row
        .equ many_pitch_c, 56
        .equ many_frame, 64
        .equ many_list, 256                     # words for the sizes of groups

# An entry of a matrix: address, type, sizes and pitch of the tensor whose entry begins at `entry`.
.macro many_entry at, entry, rows, columns, id
        %low\id = sld [\entry + argument_address]
        %high\id = sld [\entry + argument_address + 1]
        %type\id = sld [\entry + argument_type]
        %pitch\id = sld [\entry + argument_pitch]
        sst [%frame + \at + argument_address], %low\id
        sst [%frame + \at + argument_address + 1], %high\id
        sst [%frame + \at + argument_type], %type\id
        ssti [%frame + \at + argument_rank], 2
        sst [%frame + \at + argument_sizes], \rows
        sst [%frame + \at + argument_sizes + 1], \columns
        sst [%frame + \at + argument_pitch], %pitch\id
.endm

# Its address moves on by `bytes`.
.macro many_advance at, bytes, id
        %from\id = sld [%frame + \at + argument_address]
        %above\id = sld [%frame + \at + argument_address + 1]
        %to\id = add %from\id, \bytes
        %carry\id = lt.u32 %to\id, %from\id
        @%carry\id %above\id = add %above\id, 1
        sst [%frame + \at + argument_address], %to\id
        sst [%frame + \at + argument_address + 1], %above\id
.endm

        .global matmul_batched, matmul_grouped
        .linear matmul_batched
        %frame = sub s2, many_frame
        %count = sld [s4 + argument_sizes]
        %m = sld [s4 + argument_sizes + 1]
        %k = sld [s4 + argument_sizes + 2]
        %n = sld [s5 + argument_sizes + 2]
        %k_of_b = sld [s5 + argument_sizes + 1]
        %b_count = sld [s5 + argument_sizes]
        %c_count = sld [s6 + argument_sizes]
        %m_of_c = sld [s6 + argument_sizes + 1]
        %n_of_c = sld [s6 + argument_sizes + 2]
        refuse_unless_equal %count, %b_count
        refuse_unless_equal %count, %c_count
        refuse_unless_equal %k, %k_of_b
        refuse_unless_equal %m, %m_of_c
        refuse_unless_equal %n, %n_of_c
        %none = eq %count, 0
        @%none ret s1
        many_entry 0, s4, %m, %k, _a
        many_entry 16, s5, %k, %n, _b
        many_entry 32, s6, %m, %n, _c
        %step_a = mul %pitch_a, %m
        sst [%frame + many_step_a], %step_a
        %step_b = mul %pitch_b, %k
        sst [%frame + many_step_b], %step_b
        %step_c = mul %pitch_c, %m
        sst [%frame + many_step_c], %step_c
        sst [%frame + many_left], %count
        ssti [%frame + many_sizes], 0
        sst [%frame + many_back], s1
        br many_begin
        .endlinear

        # sizes of the groups are in SMEM below the frame while it works
        .linear matmul_grouped
        %frame = sub s2, many_frame
        %m = sld [s4 + argument_sizes]
        %k = sld [s4 + argument_sizes + 1]
        %groups = sld [s5 + argument_sizes]
        %k_of_b = sld [s5 + argument_sizes + 1]
        %n = sld [s5 + argument_sizes + 2]
        %m_of_c = sld [s6 + argument_sizes]
        %n_of_c = sld [s6 + argument_sizes + 1]
        %sizes = sld [s7 + argument_sizes]
        refuse_unless_equal %k, %k_of_b
        refuse_unless_equal %m, %m_of_c
        refuse_unless_equal %n, %n_of_c
        refuse_unless_equal %groups, %sizes
        %too_many_groups = gt.u32 %groups, many_list - 16
        @%too_many_groups trap kernel_too_large
        %none = eq %groups, 0
        @%none ret s1
        %no_rows = eq %m, 0
        @%no_rows ret s1
        many_entry 0, s4, %m, %k, _a
        many_entry 16, s5, %k, %n, _b
        many_entry 32, s6, %m, %n, _c
        %step_b = mul %pitch_b, %k
        sst [%frame + many_step_b], %step_b
        sst [%frame + many_rows], %m
        sst [%frame + many_pitch_a], %pitch_a
        sst [%frame + many_pitch_c], %pitch_c
        ssti [%frame + many_step_a], 0
        ssti [%frame + many_step_c], 0
        sst [%frame + many_left], %groups
        sst [%frame + many_back], s1
        %list = sub %frame, many_list - 16
        sst [%frame + many_sizes], %list
        %frame = sub %list, 16
        describe 0, hbm, smem, 24
        describe_tensor 0, copy_source, s7
        %list_bytes = shl %list, 2
        sst [%frame + copy_target], %list_bytes
        %size_bytes = shl %groups, 2
        sst [%frame + copy_length], %size_bytes
        copy [%frame], s0, s0
        wait f24, 1
        fset f24, 0
        .endlinear

many_begin:
        .linear
        %frame = sub s2, many_frame
        # the rows of this product
        %list = sld [%frame + many_sizes]
        %grouped = ne %list, 0
        @!%grouped br many_call
        %rows = sld [%list]
        %left = sld [%frame + many_rows]
        %too_many = gt.u32 %rows, %left
        @%too_many trap kernel_wrong_sizes
        %left = sub %left, %rows
        sst [%frame + many_rows], %left
        %list = add %list, 1
        sst [%frame + many_sizes], %list
        sst [%frame + argument_sizes], %rows
        sst [%frame + 32 + argument_sizes], %rows
        %pitch_a = sld [%frame + many_pitch_a]
        %pitch_c = sld [%frame + many_pitch_c]
        %bytes_a = mul %pitch_a, %rows
        %bytes_c = mul %pitch_c, %rows
        sst [%frame + many_step_a], %bytes_a
        sst [%frame + many_step_c], %bytes_c
many_call:
        s4 = mov %frame
        s5 = add %frame, 16
        s6 = add %frame, 32
        .endlinear
        # the kernel's frame is below this one and the sizes
        s2 = sub s2, many_frame + many_list
        s1 = call matmul_bf16
        s2 = add s2, many_frame + many_list
        .linear
        %frame = sub s2, many_frame
        %step_a = sld [%frame + many_step_a]
        %step_b = sld [%frame + many_step_b]
        %step_c = sld [%frame + many_step_c]
        many_advance 0, %step_a, _a
        many_advance 16, %step_b, _b
        many_advance 32, %step_c, _c
        %left = sld [%frame + many_left]
        %left = sub %left, 1
        sst [%frame + many_left], %left
        %again = ne %left, 0
        @%again br many_begin
        %back = sld [%frame + many_back]
        ret %back
        .endlinear

        .scratch matmul_grouped, kernel_rows, 512
        .scratch matmul_batched, kernel_rows, 512
