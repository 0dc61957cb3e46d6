# bias_gelu_residual: y = gelu(x + bias) + residual, fp32, gelu as in kernels/gelu.s.
#   s4 x [rows, columns], s5 bias [columns], s6 residual [rows, columns], s7 y (may be x)
# Traps when a row is longer than fits VMEM. Within 1e-6 of the largest of |y|, |residual| and 1.
        .parameter bias_gelu_residual, x, f32, [rows, columns], in
        .parameter bias_gelu_residual, bias, f32, [columns], in
        .parameter bias_gelu_residual, residual, f32, [rows, columns], in
        .parameter bias_gelu_residual, y, f32, [rows, columns], out

        .include "rows.inc"
        .include "gelu.inc"

        rows_begin bias_gelu_residual, s4, s7, 2, 1
        rows_input s6
        rows_parameter s5
        rows_blocks bias_gelu_residual
        %at = mov %block
        %n = mov %tiles
        %bias = mov %first_parameter
        .disjoint %at, %bias
        .disjoint %to, %bias
        .hot bias_gelu_residual_tile
bias_gelu_residual_tile:
        %b = vld [%bias], stride=0
        %to = mov %at                   # so neither lives from the loads to the store
.rept rows_groups, g
        %x\g = vld [%at + 8 * \g]
        %z\g = vld [%at + 8 * \g + rows_second]
        %in\g = vadd.f32 %x\g, %b
        gelu_vector %y\g, %in\g, \g
        %out\g = vadd.f32 %y\g, %z\g
        vst [%to + 8 * \g], %out\g
.endr
        %at = add %at, rows_block
        %bias = add %bias, 1
        %n = sub %n, 1
        %again = ne %n, 0
        @%again br bias_gelu_residual_tile
        rows_end bias_gelu_residual

        .scratch bias_gelu_residual, kernel_rows, 512
