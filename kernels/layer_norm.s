# layer_norm: y = (x - mean(x)) / sqrt(variance(x) + epsilon) * weight + bias, each row by itself,
# fp32; the variance is the mean of (x - mean)^2, in a pass of its own.
#   s4 x [rows, columns], s5 weight [columns], s6 bias [columns], s7 y (may be x), s8 epsilon (fp32)
# Traps when a row is longer than fits VMEM. Within 4e-6 of the largest of |y| and |weight|.
        .parameter layer_norm, x, f32, [rows, columns], in
        .parameter layer_norm, weight, f32, [columns], in
        .parameter layer_norm, bias, f32, [columns], in
        .parameter layer_norm, y, f32, [rows, columns], out
        .parameter layer_norm, epsilon, f32

.if LANES >= 64
        .equ rows_groups, 8                     # rows are few vectors: more of them at once
.endif
        .include "rows.inc"

        rows_begin layer_norm, s4, s7, 1, 2
        rows_parameter s5
        rows_parameter s6
        rows_inverse_columns
        rows_blocks layer_norm
.rept rows_groups, g
        %sum\g = vmov 0
        %squares\g = vmov 0
.endr
        # lanes beyond the edge hold data of the block before
        %last = sub %tiles, 1
        %edge_row = mul %last, rows_block
        %edge_row = add %edge_row, %block
.rept rows_groups, g
        vst [%edge_row + 8 * \g], %zero, mask=!%last_lanes
.endr
        %at = mov %block
        %n = mov %tiles
layer_norm_sum:
.rept rows_groups, g
        %x\g = vld [%at + 8 * \g]
        %sum\g = vadd.f32 %sum\g, %x\g
.endr
        %at = add %at, rows_block
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br layer_norm_sum
.rept rows_groups, g
        %total\g = lsum.f32 %sum\g
        %mean\g = vmul.f32 %total\g, %inverse
.endr
        # so that lanes beyond the edge add nothing
.rept rows_groups, g
        vst [%edge_row + 8 * \g], %mean\g, mask=!%last_lanes
.endr
        %at1 = mov %block
        %n1 = mov %tiles
layer_norm_variance:
.rept rows_groups, g
        %x1\g = vld [%at1 + 8 * \g]
        %off\g = vsub.f32 %x1\g, %mean\g
        %square\g = vmul.f32 %off\g, %off\g
        %squares\g = vadd.f32 %squares\g, %square\g
.endr
        %at1 = add %at1, rows_block
        %n1 = sub %n1, 1
        %again1 = ne %n1, 0
        @%again1 br layer_norm_variance
.rept rows_groups, g
        %variance\g = lsum.f32 %squares\g
        %variance\g = vmul.f32 %variance\g, %inverse
        %variance\g = vadd.f32 %variance\g, s8
        %scale\g = rsqrt %variance\g
.endr
        %at2 = mov %block
        %n2 = mov %tiles
        %parameters = mov %first_parameter
        .disjoint %at2, %parameters
        .hot layer_norm_scale
layer_norm_scale:
        %w = vld [%parameters], stride=0
        %b = vld [%parameters + rows_most_tiles], stride=0
.rept rows_groups, g
        %in\g = vld [%at2 + 8 * \g]
        %centred\g = vsub.f32 %in\g, %mean\g
        %scaled\g = vmul.f32 %centred\g, %scale\g
        %weighted\g = vmul.f32 %scaled\g, %w
        %out\g = vadd.f32 %weighted\g, %b
        vst [%at2 + 8 * \g], %out\g
.endr
        %at2 = add %at2, rows_block
        %parameters = add %parameters, 1
        %n2 = sub %n2, 1
        %again2 = ne %n2, 0
        @%again2 br layer_norm_scale
        rows_end layer_norm

        .scratch layer_norm, kernel_rows, 512
