# gelu: y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), fp32, any shape.
#   s4 x, s5 y (which may be x)
# Within 1e-6 of the largest of |y| and 1 of this formula in double precision.
        .parameter gelu, x, f32, [...], in
        .parameter gelu, y, f32, [...], out

        .include "flat.inc"
        .include "gelu.inc"

.macro flat_vector in, second, to, out, id
        %x\id = vld [%at + \in]
        gelu_vector %y\id, %x\id, \id
        vst [\to + \out], %y\id
.endm

        flat_kernel gelu, 1

        .scratch gelu, kernel_rows, 512
