# gather: y[i] = table[ids[i]], rows of any element type.
#   s4 table [rows, ...], s5 ids s32 [n], s6 y [n, ...]; rows are what one index selects
# Traps when a row does not fit VMEM (2), and at an index out of range (4): y is then unfinished.
#
# Rows come one copy each, `gather_chunk` or fewer at a time into one of two buffers, and go out by
# one copy; the next rows come meanwhile. Indices come ahead into SMEM.
        .parameter gather, table, any, [rows, ...], in
        .parameter gather, ids, s32, [n], in
        .parameter gather, y, any, [n, ...], out

        .include "common.inc"

        .equ kernel_bad_index, 4
        .equ gather_chunk, 64
        .equ gather_buffer, kernel_rows / 2 * LANES     # words
        .equ gather_ids, 48                     # two buffers of indices in the frame
        .equ gather_frame, gather_ids + 2 * gather_chunk

        .global gather
        .linear gather
        %frame = sub s2, gather_frame
        %n = sld [s5 + argument_sizes]
        %n_of_y = sld [s6 + argument_sizes]
        refuse_unless_equal %n, %n_of_y
        %table_bytes = sld [s4 + argument_bytes]
        %y_bytes = sld [s6 + argument_bytes]
        %rows = sld [s4 + argument_sizes]
        # words of a row: the pitch times the sizes between the first and the last
        %pitch = sld [s4 + argument_pitch]
        %middle1 = sld [s4 + argument_sizes + 1]
        %middle2 = sld [s4 + argument_sizes + 2]
        %rank = sld [s4 + argument_rank]
        %three = ge.u32 %rank, 3
        %words = shr %pitch, 2
        @%three %words = mul %words, %middle1
        %four = ge.u32 %rank, 4
        @%four %words = mul %words, %middle2
        %too_many = gt.u32 %rank, 4
        @%too_many trap kernel_wrong_sizes
        %expected = mul %words, %n
        %expected = shl %expected, 2
        refuse_unless_equal %expected, %y_bytes
        %nothing = eq %y_bytes, 0
        @%nothing ret s1
        %large = gt.u32 %words, gather_buffer
        @%large trap kernel_too_large
        %chunk = mov gather_chunk
        %needs = mul %words, %chunk
        %over = gt.u32 %needs, gather_buffer
        @!%over br gather_fits
gather_halve:
        %chunk = shr %chunk, 1
        %needs = mul %words, %chunk
        %over = gt.u32 %needs, gather_buffer
        @%over br gather_halve
gather_fits:
        describe 0, hbm, vmem, 24
        describe_tensor 0, copy_source, s4
        describe_rows 0, copy_target
        %row_bytes = shl %words, 2
        sst [%frame + copy_length], %row_bytes
        describe 16, vmem, hbm, 25
        describe_rows 16, copy_source
        describe_tensor 16, copy_target, s6
        describe 32, hbm, smem, 26
        describe_tensor 32, copy_source, s5
        %ids_at = add %frame, gather_ids
        %ids_bytes = shl %ids_at, 2
        sst [%frame + 32 + copy_target], %ids_bytes
        %done = mov 0                           # rows of y
        %turn = mov 0                           # 0 or 1
        %chunks = mov 0
        %count = min.u32 %chunk, %n
        %id_bytes = shl %count, 2
        sst [%frame + 32 + copy_length], %id_bytes
        copy [%frame + 32], s0, s0
gather_rows:
        %left = sub %n, %done
        %count = min.u32 %left, %chunk
        %chunks = add %chunks, 1
        wait f26, %chunks
        # the indices after these
        %behind = add %done, %count
        %further = sub %n, %behind
        %next_count = min.u32 %further, %chunk
        %next_bytes = shl %next_count, 2
        sst [%frame + 32 + copy_length], %next_bytes
        %other = xor %turn, 1
        %ids_to = mul %other, gather_chunk
        copy [%frame + 32], %behind, %ids_to
        # the buffer is free when the rows of two chunks ago are out
        %out = sub %chunks, 2
        wait f25, %out
        %id_at = mul %turn, gather_chunk
        %id_at = add %id_at, %ids_at
        %id_end = add %id_at, %count
        %to = mul %turn, gather_buffer
        %start = mov %to
        %good = eq s0, s0                       # all indices of the chunk
gather_row:
        %id = sld [%id_at]
        %is_row = lt.u32 %id, %rows
        %good = pand %good, %is_row
        %from = mul %id, %words
        @%is_row copy [%frame], %from, %to
        %to = add %to, %words
        %id_at = add %id_at, 1
        %row_again = lt.u32 %id_at, %id_end
        @%row_again br gather_row
        @!%good trap kernel_bad_index
        wait f24, %behind
        %out_bytes = mul %count, %row_bytes
        sst [%frame + 16 + copy_length], %out_bytes
        %y_at = mul %done, %words
        copy [%frame + 16], %start, %y_at
        %turn = xor %turn, 1
        %done = mov %behind
        %again = lt.u32 %done, %n
        @%again br gather_rows
        wait f25, %chunks
        %last_ids = add %chunks, 1
        wait f26, %last_ids
        fset f24, 0
        fset f25, 0
        fset f26, 0
        ret s1
        .endlinear

        .scratch gather, kernel_rows, 512
