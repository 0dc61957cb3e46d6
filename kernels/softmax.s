# softmax: y = e^(x - m) / sum of e^(x - m) over each row, m its maximum, fp32.
#   s4 x [rows, columns], s5 y (may be x)
# Traps when a row is longer than fits VMEM four times. Within 1e-5 y for x - m down to -40.
#
# The EUP takes a vector in 4 cycles, memory in 8, and both are busy. So all happens side by side: one
# loop takes the exponentials of a block, finds the maxima of the next one and scales the one before.
# Each step enters its linear block anew, so that the promise that the three blocks are disjoint is
# about one step; longer-lived values are kept in the frame, and maxima and factors in VMEM. Rows
# that do not fit nine times go to `softmax_wide`, which makes the three passes one after the other;
# rows of few tiles on wide machines to softmax_narrow.inc, where one loop does everything. With 16
# lanes softmax_stream.inc has one loop for all blocks: between two steps the EUP would wait.
        .parameter softmax, x, f32, [rows, columns], in
        .parameter softmax, y, f32, [rows, columns], out

.if LANES >= 64
        .equ rows_groups, 8
        .equ unroll, 1
.elseif LANES == 16
        .equ rows_groups, 2
        .equ unroll, 2
.else
        .equ rows_groups, 1
        .equ unroll, 2
.endif
        .equ rows_wide_softmax, 1
        .include "rows.inc"

        .equ keep_row, 116                      # words of the frame
        .equ keep_next, 117
        .equ keep_tiles, 118
        .equ keep_pitch, 119
        .equ keep_rows, 120
        .equ keep_tail, 121
        .equ keep_lanes, 122
        .equ keep_this, 123                     # VMEM rows of the three blocks
        .equ keep_before, 124
        .equ keep_behind, 125
        .equ keep_turns, 126
        .equ keep_slot, 127

# The sum of a row is at least 1 (or NaN), so its reciprocal may be found by Newton's method on the
# vector slots: from an eighth off to 5e-8 in three steps. %reciprocal is softmax_reciprocal, %two is 2.
        .equ softmax_reciprocal, 0x7ef311c7     # minus the bits of x: roughly those of 1 / x

.macro softmax_newton part, total
        %product_\part = vmul.f32 %\part, %\total
        %rest_\part = vsub.f32 %two, %product_\part
        %\part = vmul.f32 %\part, %rest_\part
.endm

.macro softmax_inverse part, total
        %\part = vsub.s32 %reciprocal, %\total
.rept 3
        softmax_newton \part, \total
.endr
.endm

# Short rows on wide machines go to a loop of their own.
        .equ softmax_has_narrow, LANES >= 64
.if softmax_has_narrow
        .include "softmax_narrow.inc"
.endif

.if LANES == 16
        .include "softmax_stream.inc"
.endif

# Minus infinity beyond the edge of the block at `block`: the rest of the last tile, and a tile more
# where the loop takes two at a time.
.macro softmax_edge block, id
        %lanes\id = sld [%frame + keep_lanes]
        %lane\id = vlane
        %inside\id = vlt.s32 %lane\id, %lanes\id
        %none\id = vmov -INF
        %last\id = sub %tiles, 1
        %edge\id = mul %last\id, rows_block
        %edge\id = add %edge\id, \block
        %one\id = and %tiles, unroll - 1
        %odd\id = ne %one\id, 0
.rept rows_groups, g
        vst [%edge\id + 8 * \g], %none\id, mask=!%inside\id
        @%odd\id vst [%edge\id + rows_block + 8 * \g], %none\id
.endr
.endm

# The maxima of what the accumulators %most_<u>_<g> have, to the scratch rows.
# One vector of each group of 8 rows from the copies of it that a round has.
.macro softmax_gather what, from, operation, g
.if unroll == 2
        %\what\g = \operation %\from\()_0_\g, %\from\()_1_\g
.else
        %\what\g = vmov %\from\()_0_\g
.endif
.endm

# The maxima of the next block to the scratch rows.
.macro softmax_maximum g
        %m_new\g = lmax.f32 %both\g
        vst [s3 + scratch + 8 * \g], %m_new\g
.endm

# A tile's part of each macro, for all groups of 8 rows.
.macro softmax_tile what, u
.rept rows_groups, g
        softmax_\what \u, \g, (8 * \g + rows_block * \u)
.endr
.endm

.macro softmax_begin u, g, at
        %most_\u\()_\g = vmov -INF
        %sum_\u\()_\g = vmov 0
.endm

.macro softmax_behind u, g, at
        %b_\u\()_\g = vld [%behind + \at]
        %most_\u\()_\g = vmax.f32 %most_\u\()_\g, %b_\u\()_\g
.endm

.macro softmax_this u, g, at
        %x_\u\()_\g = vld [%this + \at]
        %less_\u\()_\g = vsub.f32 %x_\u\()_\g, %m\g
        %power_\u\()_\g = vmul.f32 %less_\u\()_\g, log2_of_e
        %e_\u\()_\g = exp2 %power_\u\()_\g
        %sum_\u\()_\g = vadd.f32 %sum_\u\()_\g, %e_\u\()_\g
        vst [%this + \at], %e_\u\()_\g
.endm

.macro softmax_scale from, u, g, at
        %f_\from\()_\u\()_\g = vld [%\from + \at]
        %y_\from\()_\u\()_\g = vmul.f32 %f_\from\()_\u\()_\g, %part\g
        vst [%\from + \at], %y_\from\()_\u\()_\g
.endm

.macro softmax_before u, g, at
        softmax_scale before, \u, \g, (\at)
.endm

.macro softmax_final u, g, at
        softmax_scale final, \u, \g, (\at)
.endm

.macro softmax_count
        %tiles = sld [%frame + keep_tiles]
        %n = add %tiles, unroll - 1
        %n = shr %n, log2(unroll)
.endm

# Waits for the block after the one at %row, if there is one, and finds the step's three:
# %this_block, %block_before and the one found here.
.macro softmax_ready id
        %number = shr %row, log2(rows_block)
        %behind_row = add %row, rows_block
        %ends = ge.u32 %behind_row, %rows
        %needed = add %number, 2
        @%ends %needed = sub %needed, 1
        %loads = sld [%frame + rows_loads]
        %loaded = mul %needed, %loads
        wait f24, %loaded
        sst [%frame + keep_this], %this_block
        sst [%frame + keep_before], %block_before
        %slot_behind = add %number, 1
        %slot_behind = and %slot_behind, rows_buffers - 1
        %block_behind = mul %slot_behind, rows_buffer
        %block_behind = add %block_behind, s3
        @%ends %block_behind = add s3, spare_block
        sst [%frame + keep_behind], %block_behind
        softmax_edge %block_behind, \id
        sst [%frame + keep_row], %row
        sst [%frame + keep_next], %next
.endm

.if LANES == 16
        rows_begin softmax, s4, s5, buffers=8, reserve=3 * rows_block, wide=softmax_wide
        sst [%frame + keep_pitch], %pitch
        sst [%frame + keep_rows], %rows
        sst [%frame + keep_tail], %tail
        softmax_stream
.else
        rows_begin softmax, s4, s5, buffers=8, lead=4, spare=1, reserve=2 * rows_block, wide=softmax_wide
        .equ scratch, 9 * rows_second           # maxima of this block, factors of the one before
        .equ spare_block, 8 * rows_second
        sst [%frame + keep_tiles], %tiles
        sst [%frame + keep_pitch], %pitch
        sst [%frame + keep_rows], %rows
        sst [%frame + keep_tail], %tail
        sst [%frame + keep_lanes], %tail_columns
.if softmax_has_narrow
        %one_tile = le.u32 %tiles, 2
        @%one_tile br softmax_narrow_2
        %few_tiles = le.u32 %tiles, 8
        @%few_tiles br softmax_narrow_8
.endif
        # the spare block stands in for a missing one before or after
        %clear_at = add s3, spare_block
        %clear_to = add %clear_at, rows_second
softmax_spare:
        vst [%clear_at], %zero
        %clear_at = add %clear_at, 8
        %spare_more = lt.u32 %clear_at, %clear_to
        @%spare_more br softmax_spare
.rept rows_groups, g
        vst [s3 + scratch + rows_block + 8 * \g], %zero
.endr
        rows_blocks softmax
        softmax_edge %block, _a
.rept unroll, u
        softmax_tile begin, \u
.endr
        %behind = mov %block
        softmax_count
softmax_first:
.rept unroll, u
        softmax_tile behind, \u
.endr
        %behind = add %behind, unroll * rows_block
        %n = sub %n, 1
        %first_again = ne %n, 0
        @%first_again br softmax_first
.rept rows_groups, g
        softmax_gather both, most, vmax.f32, \g
.endr
        %this_block = mov %block
        %block_before = add s3, spare_block
        softmax_ready _b
.rept rows_groups, g
        softmax_maximum \g
.endr
        .endlinear

# The step of the block whose first row is [keep_row].
        .linear softmax_step
        %frame = sub s2, 128
        %this = sld [%frame + keep_this]
        %before = sld [%frame + keep_before]
        %behind = sld [%frame + keep_behind]
        .disjoint %this, %before, %behind
.rept rows_groups, g
        %m\g = vld [s3 + scratch + 8 * \g]
        %part\g = vld [s3 + scratch + rows_block + 8 * \g]
.endr
.rept unroll, u
        softmax_tile begin, \u
.endr
        softmax_count
        .hot softmax_round
softmax_round:
.rept unroll, u
        softmax_tile behind, \u
        softmax_tile this, \u
        softmax_tile before, \u
.endr
        %this = add %this, unroll * rows_block
        %before = add %before, unroll * rows_block
        %behind = add %behind, unroll * rows_block
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br softmax_round

        # sums and maxima of lanes take long: they run beside the scalar code up to the next step
.rept rows_groups, g
        softmax_gather both, most, vmax.f32, \g
        softmax_gather all, sum, vadd.f32, \g
        %total\g = lsum.f32 %all\g
.endr
        %row = sld [%frame + keep_row]
        %next = sld [%frame + keep_next]
        %pitch = sld [%frame + keep_pitch]
        %rows = sld [%frame + keep_rows]
        %tail_words = sld [%frame + keep_tail]
        %has_tail = ne %tail_words, 0
        %scaled = sld [%frame + keep_before]
        %store_row = sub %row, rows_block
        %count = mov rows_block
        %stores = ne %row, 0
        %stores_tail = pand %stores, %has_tail
        rows_store_block %scaled, %store_row, _a, %stores, %stores_tail
        %row = add %row, rows_block
        %over = ge.u32 %row, %rows
        @%over br softmax_over
        %zero = vmov 0
        rows_load_ahead softmax_step
softmax_step_compute:
        %block_before = sld [%frame + keep_this]
        %this_block = sld [%frame + keep_behind]
        softmax_ready _c
.rept rows_groups, g
        %part_new\g = rcp %total\g
        vst [s3 + scratch + rows_block + 8 * \g], %part_new\g
        softmax_maximum \g
.endr
        br softmax_again

        # the last block is left to be scaled
softmax_over:
.rept rows_groups, g
        %part\g = rcp %total\g
.endr
        %row = sub %row, rows_block
        %last_block = sld [%frame + keep_this]
        %final = mov %last_block
        softmax_count
softmax_last:
.rept unroll, u
        softmax_tile final, \u
.endr
        %final = add %final, unroll * rows_block
        %n = sub %n, 1
        %last_again = ne %n, 0
        @%last_again br softmax_last
        %count = sub %rows, %row
        rows_store_block %last_block, %row, _b
        %copies = sld [%frame + rows_copies]
        %stored = add %row, rows_block
        %stored = shr %stored, log2(rows_block)
        %stored = mul %stored, %copies
        wait f25, %stored
        fset f24, 0
        fset f25, 0
        ret s1
        .endlinear

# Leaves the block and enters it again: a step's promise is about its own three blocks.
softmax_again:
        br softmax_step

.endif
.if softmax_has_narrow
        softmax_narrow 2
        softmax_narrow 8
.endif

        rows_begin softmax_wide, s4, s5
        %minus_infinity = vmov -INF
        rows_blocks softmax_wide
        %last = sub %tiles, 1
        %edge_row = mul %last, rows_block
        %edge_row = add %edge_row, %block
.rept rows_groups, g
        vst [%edge_row + 8 * \g], %minus_infinity, mask=!%last_lanes
        %largest\g = vmov -INF
        %sum\g = vmov 0
.endr
        %at = mov %block
        %n = mov %tiles
softmax_wide_maximum:
.rept rows_groups, g
        %x\g = vld [%at + 8 * \g]
        %largest\g = vmax.f32 %largest\g, %x\g
.endr
        %at = add %at, rows_block
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br softmax_wide_maximum
.rept rows_groups, g
        %m\g = lmax.f32 %largest\g
.endr
        %at1 = mov %block
        %n1 = mov %tiles
        .hot softmax_wide_exponential
softmax_wide_exponential:
.rept rows_groups, g
        %x1\g = vld [%at1 + 8 * \g]
        %below\g = vsub.f32 %x1\g, %m\g
        %power\g = vmul.f32 %below\g, log2_of_e
        %e\g = exp2 %power\g
        %sum\g = vadd.f32 %sum\g, %e\g
        vst [%at1 + 8 * \g], %e\g
.endr
        %at1 = add %at1, rows_block
        %n1 = sub %n1, 1
        %again1 = ne %n1, 0
        @%again1 br softmax_wide_exponential
.rept rows_groups, g
        %total\g = lsum.f32 %sum\g
        %part\g = rcp %total\g
.endr
        %at2 = mov %block
        %n2 = mov %tiles
softmax_wide_scale:
.rept rows_groups, g
        %e2\g = vld [%at2 + 8 * \g]
        %y\g = vmul.f32 %e2\g, %part\g
        vst [%at2 + 8 * \g], %y\g
.endr
        %at2 = add %at2, rows_block
        %n2 = sub %n2, 1
        %again2 = ne %n2, 0
        @%again2 br softmax_wide_scale
        rows_end softmax_wide

        .scratch softmax, kernel_rows, 512
