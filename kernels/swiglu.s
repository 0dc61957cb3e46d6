# swiglu: y = z x / (1 + e^-x), fp32, any shape: x the gate, z the gated value.
#   s4 x, s5 z, s6 y (which may be x)
# 1 / (1 + e^-x) = 1/2 + 1/2 tanh(x/2), one operation of the EUP instead of two. Within 1e-6 of the
# largest of |x z| and 1.
        .parameter swiglu, x, f32, [...], in
        .parameter swiglu, z, f32, [...], in
        .parameter swiglu, y, f32, [...], out

        .include "flat.inc"

.macro flat_vector in, second, to, out, id
        %x\id = vld [%at + \in]
        %z\id = vld [%at + \second]
        %half\id = vmul.f32 %x\id, 0.5
        %tanh\id = tanh %half\id
        %product\id = vmul.f32 %half\id, %tanh\id
        %silu\id = vadd.f32 %product\id, %half\id
        %y\id = vmul.f32 %silu\id, %z\id
        vst [\to + \out], %y\id
.endm

        flat_kernel swiglu, 2

        .scratch swiglu, kernel_rows, 512
