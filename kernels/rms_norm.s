# rms_norm: y = x / sqrt(mean(x^2) + epsilon) * weight, each row by itself, fp32.
#   s4 x [rows, columns], s5 weight [columns], s6 y [rows, columns] (may be x), s7 epsilon (fp32)
# Traps when a row is longer than fits VMEM (`rows_most_tiles` tiles). Within 2e-6 |y|.
        .parameter rms_norm, x, f32, [rows, columns], in
        .parameter rms_norm, weight, f32, [columns], in
        .parameter rms_norm, y, f32, [rows, columns], out
        .parameter rms_norm, epsilon, f32

        .include "rows.inc"

        rows_begin rms_norm, s4, s6, 1, 1
        rows_parameter s5
        rows_inverse_columns
        rows_blocks rms_norm
.rept rows_groups, g
        %sum\g = vmov 0
.endr
        %at = mov %block
        %n = mov %tiles
rms_norm_sum:
.rept rows_groups, g
        %x\g = vld [%at + 8 * \g]
        %square\g = vmul.f32 %x\g, %x\g
        %sum\g = vadd.f32 %sum\g, %square\g
.endr
        %at = add %at, rows_block
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br rms_norm_sum
.rept rows_groups, g
        %total\g = lsum.f32 %sum\g
        %mean\g = vmul.f32 %total\g, %inverse
        %mean\g = vadd.f32 %mean\g, s7
        %scale\g = rsqrt %mean\g
.endr
        %at2 = mov %block
        %n2 = mov %tiles
        %weight = mov %first_parameter
        .disjoint %at2, %weight
rms_norm_scale:
        %w = vld [%weight], stride=0
.rept rows_groups, g
        %in\g = vld [%at2 + 8 * \g]
        %scaled\g = vmul.f32 %in\g, %scale\g
        %out\g = vmul.f32 %scaled\g, %w
        vst [%at2 + 8 * \g], %out\g
.endr
        %at2 = add %at2, rows_block
        %weight = add %weight, 1
        %n2 = sub %n2, 1
        %again2 = ne %n2, 0
        @%again2 br rms_norm_scale
        rows_end rms_norm

        .scratch rms_norm, kernel_rows, 512
