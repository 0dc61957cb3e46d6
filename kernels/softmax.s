# softmax: y = e^(x - m) / sum of e^(x - m) over each row, m its maximum, fp32.
#   s4 x [rows, columns], s5 y (may be x)
# Traps when a row is longer than fits VMEM. Within 1e-5 y for x - m down to -40.

        .include "rows.inc"

        rows_begin softmax, s4, s5
        %minus_infinity = vmov -INF
        rows_blocks softmax
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
softmax_maximum:
.rept rows_groups, g
        %x\g = vld [%at + 8 * \g]
        %largest\g = vmax.f32 %largest\g, %x\g
.endr
        %at = add %at, rows_block
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br softmax_maximum
.rept rows_groups, g
        %m\g = lmax.f32 %largest\g
.endr
        %at1 = mov %block
        %n1 = mov %tiles
softmax_exponential:
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
        @%again1 br softmax_exponential
.rept rows_groups, g
        %total\g = lsum.f32 %sum\g
        %part\g = rcp %total\g
.endr
        %at2 = mov %block
        %n2 = mov %tiles
softmax_scale:
.rept rows_groups, g
        %e2\g = vld [%at2 + 8 * \g]
        %y\g = vmul.f32 %e2\g, %part\g
        vst [%at2 + 8 * \g], %y\g
.endr
        %at2 = add %at2, rows_block
        %n2 = sub %n2, 1
        %again2 = ne %n2, 0
        @%again2 br softmax_scale
        rows_end softmax
