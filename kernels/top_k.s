# top_k: the k largest numbers of each row in descending order, and their columns; of equal ones the
# lower column first. -0 is below +0, NaN above everything.
#   s4 x f32 [rows, columns], s5 values f32 [rows, k], s6 columns s32 [rows, k]; k is a size of these
# Traps when k is above the columns (1) or a row does not fit VMEM (2). Exact.
#
# 8 rows at a time become integers of the same order. One pass over the tiles finds each lane's
# largest and its column, taking out the winner of the pass before; then the lanes are compared.
        .parameter top_k, x, f32, [rows, columns], in
        .parameter top_k, values, f32, [rows, k], out
        .parameter top_k, columns, s32, [rows, k], out

        .include "common.inc"

        .equ top_block, 8
        .equ top_rows, kernel_rows / 2 / 8 * 8          # of keys; values and columns share the rest
        .equ top_results, kernel_rows / 4 / 8 * 8       # of each
        .equ top_values, top_rows
        .equ top_columns, top_rows + top_results
        .equ top_removed, 0x80000000
        .equ top_frame, 112

        .equ top_load, 0                        # descriptors: whole tiles, the ragged one
        .equ top_store_values, 32
        .equ top_store_columns, 64

.macro top_describe at, from, to, flag, whole, tail_bytes, pitch
        describe \at, \from, \to, \flag
        describe \at + 16, \from, \to, \flag
        ssti [%frame + \at + copy_length], ROW_BYTES
        sst [%frame + \at + 16 + copy_length], \tail_bytes
        sst [%frame + \at + copy_middle], \whole
.if \flag == 24
        .set top_here, 2
        .set top_there, 1
.else
        .set top_here, 1
        .set top_there, 2
.endif
        ssti [%frame + \at + copy_inner + top_here], ROW_BYTES
        ssti [%frame + \at + 16 + copy_inner + top_here], ROW_BYTES
        sst [%frame + \at + copy_inner + top_there], \pitch
        sst [%frame + \at + 16 + copy_inner + top_there], \pitch
        ssti [%frame + \at + copy_middle + top_here], 8 * ROW_BYTES
        ssti [%frame + \at + copy_middle + top_there], ROW_BYTES
.endm

.macro top_store at, id
        sst [%frame + \at + copy_inner], %count
        sst [%frame + \at + 16 + copy_inner], %count
        copy [%frame + \at], s0, %to
        copy [%frame + \at + 16], %k_from_tail, %to_tail
.endm

        .global top_k
        .linear top_k
        %frame = sub s2, top_frame
        %rows = sld [s4 + argument_sizes]
        %columns = sld [s4 + argument_sizes + 1]
        %k = sld [s5 + argument_sizes + 1]
.rept 2, i
        %of_values\i = sld [s5 + argument_sizes + \i]
        %of_columns\i = sld [s6 + argument_sizes + \i]
        refuse_unless_equal %of_values\i, %of_columns\i
.endr
        refuse_unless_equal %rows, %of_values0
        %too_many = gt.u32 %k, %columns
        @%too_many trap kernel_wrong_sizes
        %tiles = add %columns, LANES - 1
        %tiles = shr %tiles, lanes_log2
        %tile_rows = shl %tiles, 3
        %too_wide = gt.u32 %tile_rows, top_rows
        @%too_wide trap kernel_too_large
        %k_tiles = add %k, LANES - 1
        %k_tiles = shr %k_tiles, lanes_log2
        %k_rows = shl %k_tiles, 3
        %too_deep = gt.u32 %k_rows, top_results
        @%too_deep trap kernel_too_large
        %no_rows = eq %rows, 0
        @%no_rows ret s1
        %no_k = eq %k, 0
        @%no_k ret s1
        %whole = shr %columns, lanes_log2
        %tail = and %columns, LANES - 1
        %tail_bytes = shl %tail, 2
        %pitch = sld [s4 + argument_pitch]
        top_describe top_load, hbm, vmem, 24, %whole, %tail_bytes, %pitch
        describe_tensor top_load, copy_source, s4
        describe_tensor top_load + 16, copy_source, s4
        describe_rows top_load, copy_target
        describe_rows top_load + 16, copy_target
        %k_whole = shr %k, lanes_log2
        %k_tail = and %k, LANES - 1
        %k_bytes = shl %k_tail, 2
        %k_pitch = sld [s5 + argument_pitch]
        top_describe top_store_values, vmem, hbm, 25, %k_whole, %k_bytes, %k_pitch
        describe_tensor top_store_values, copy_target, s5
        describe_tensor top_store_values + 16, copy_target, s5
        describe_rows top_store_values, copy_source, top_values
        describe_rows top_store_values + 16, copy_source, top_values
        top_describe top_store_columns, vmem, hbm, 25, %k_whole, %k_bytes, %k_pitch
        describe_tensor top_store_columns, copy_target, s6
        describe_tensor top_store_columns + 16, copy_target, s6
        describe_rows top_store_columns, copy_source, top_columns
        describe_rows top_store_columns + 16, copy_source, top_columns
        sst [%frame + 96], %rows
        sst [%frame + 97], %columns
        sst [%frame + 98], %k
        sst [%frame + 99], %pitch
        sst [%frame + 100], %k_pitch
        .endlinear

        .linear
        %frame = sub s2, top_frame
        %rows = sld [%frame + 96]
        %columns = sld [%frame + 97]
        %k = sld [%frame + 98]
        %pitch = sld [%frame + 99]
        %pitch = shr %pitch, 2
        %k_pitch = sld [%frame + 100]
        %k_pitch = shr %k_pitch, 2
        %whole = shr %columns, lanes_log2
        %tail_from = shl %whole, lanes_log2
        %tail_to = mul %whole, 8 * LANES
        %tiles = add %columns, LANES - 1
        %tiles = shr %tiles, lanes_log2
        %lane = vlane
        %removed = vmov top_removed
        %zero = vmov 0
        %row = mov 0
        %turn = mov 0
        # rows and lanes that no copy writes
        %at = mov s3
        %n = mov %tiles
top_clear:
        vst [%at], %zero
        %at = add %at, 8
        %n = sub %n, 1
        %clear_again = ne %n, 0
        @%clear_again br top_clear
        %at = mov s3
        %n = add %k, LANES - 1
        %n = shr %n, lanes_log2
top_clear_results:
        vst [%at + top_values], %zero
        vst [%at + top_columns], %zero
        %at = add %at, 8
        %n = sub %n, 1
        %results_again = ne %n, 0
        @%results_again br top_clear_results
top_rows_loop:
        %left = sub %rows, %row
        %count = min.u32 %left, 8
        sst [%frame + top_load + copy_inner], %count
        sst [%frame + top_load + 16 + copy_inner], %count
        %from = mul %row, %pitch
        %from_tail = add %from, %tail_from
        copy [%frame + top_load], %from, s0
        copy [%frame + top_load + 16], %from_tail, %tail_to
        %turn = add %turn, 1
        %loaded = shl %turn, 1
        wait f24, %loaded
        # numbers to integers of the same order, and none beyond the edge
        %at = mov s3
        %n = mov %tiles
        %column = vmov %lane
        .hot top_keys
top_keys:
        %x = vld [%at]
        %sign = vsar %x, 31
        %flip = vand %sign, 0x7fffffff
        %key = vxor %x, %flip
        %inside = vlt.s32 %column, %columns
        %kept = vsel %inside, %key, %removed
        vst [%at], %kept
        %column = vadd.s32 %column, LANES
        %at = add %at, 8
        %n = sub %n, 1
        %keys_again = ne %n, 0
        @%keys_again br top_keys
        # results of the rows before are out
        %stored = sub %turn, 1
        %stored = shl %stored, 2
        wait f25, %stored
        %winner = vmov -1
        %i = mov 0
top_next:
        %best = vmov %removed
        %best_column = vmov 0x7fffffff
        %column = vmov %lane
        %at = mov s3
        %n = mov %tiles
top_pass:
        %old = vld [%at]
        %is_winner = veq.s32 %column, %winner
        %now = vsel %is_winner, %removed, %old
        vst [%at], %now
        %larger = vlt.s32 %best, %now
        %best = vsel %larger, %now, %best
        %best_column = vsel %larger, %column, %best_column
        %column = vadd.s32 %column, LANES
        %at = add %at, 8
        %n = sub %n, 1
        %pass_again = ne %n, 0
        @%pass_again br top_pass
        %most = lmax.s32 %best
        %is_most = veq.s32 %best, %most
        %candidate = vsel %is_most, %best_column, 0x7fffffff
        %winner = lmin.s32 %candidate
        # the key is a number again
        %most_sign = vsar %most, 31
        %most_flip = vand %most_sign, 0x7fffffff
        %value = vxor %most, %most_flip
        # element i of the results
        %tile = shr %i, lanes_log2
        %result_at = shl %tile, 3
        %result_at = add %result_at, s3
        %result_lane = and %i, LANES - 1
        %here = veq.s32 %lane, %result_lane
        vst [%result_at + top_values], %value, mask=%here
        vst [%result_at + top_columns], %winner, mask=%here
        %i = add %i, 1
        %next_again = lt.u32 %i, %k
        @%next_again br top_next
        %to = mul %row, %k_pitch
        %k_whole = shr %k, lanes_log2
        %to_tail = shl %k_whole, lanes_log2
        %to_tail = add %to_tail, %to
        %k_from_tail = mul %k_whole, 8 * LANES
        top_store top_store_values, _v
        top_store top_store_columns, _c
        %row = add %row, 8
        %rows_again = lt.u32 %row, %rows
        @%rows_again br top_rows_loop
        %all = shl %turn, 2
        wait f25, %all
        fset f24, 0
        fset f25, 0
        ret s1
        .endlinear

        .scratch top_k, kernel_rows, 512
