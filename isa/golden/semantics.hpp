// One semantic function per instruction, in files by unit, and the check of each that can trap.
#pragma once

#include "isa/golden/core.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/instructions.hpp"

namespace tandem::golden {

// The tables: switches over every Op, so an instruction without a function does not build.
Execute semantic_function(Op op);
// nullptr when the instruction cannot trap and captures nothing.
Check check_function(Op op);

namespace execute {
using Semantics = void(Core&, const MicroOp&);

// scalar.cpp
Semantics add, sub, mul, mulhu, bit_and, bit_or, bit_xor, bit_not, shl, shr, sar, min_s32, max_s32,
    min_u32, max_u32, mov, sel, eq, ne, lt_s32, le_s32, gt_s32, ge_s32, lt_u32, le_u32, gt_u32,
    ge_u32, pand, por, pxor;
// control.cpp; `nothing` stands for those that the check has already done
Semantics nothing, call, sld, sst, ssti, csr;
// valu_float.cpp
Semantics vadd_f32, vsub_f32, vmul_f32, vmulerr_f32, vmin_f32, vmax_f32, veq_f32, vne_f32, vlt_f32,
    vle_f32, vfloor_f32, vround_f32, vcvt_f32_s32, vcvt_s32_f32, vtrunc_s32_f32, vpack_bf16;
// valu_integer.cpp
Semantics vpack_s8, vext_s32_s8, vext_f32_s8, vadd_s32, vsub_s32, vmul_s32, vand, vor, vxor, vshl,
    vshr, vsar, vmin_s32, vmax_s32, veq_s32, vne_s32, vlt_s32, vle_s32, vmin_u32, vmax_u32, vlt_u32,
    vle_u32, vrotl, vclz, vpop;
// valu_move.cpp
Semantics mand, mor, mxor, mpop, mffs, vsel, vlane, vsublane, vrot_sub, vbcast_sub, vmov;
// load_store.cpp
Semantics vld, vldc, vldx, vst, vstx;
// matrix.cpp
Semantics mxpush, mxpusht, mxmul_bf16, mxmul_s8, mxread;
// eup.cpp
Semantics exp2, log2, rcp, rsqrt, tanh;
// xlu_reduce.cpp
Semantics lsum_f32, lmax_f32, lmin_f32, largmax_f32, lsum_s32, lmax_s32, lmin_s32, largmax_s32,
    ssum_f32, smax_f32, smin_f32, sargmax_f32, ssum_s32, smax_s32, smin_s32, sargmax_s32;
// xlu_move.cpp
Semantics lrot, lbcast, lperm, transpose, extract;
// dma.cpp
Semantics copy, fadd, fset;

// Ends a bundle that reads a register which another of its slots writes: the result waits in the
// spare register `base` and moves to register `d`.
Semantics commit_scalar, commit_predicate, commit_mask, commit_vector;
}  // namespace execute

namespace check {
using Rule = bool(Core&, const MicroOp&);

// control.cpp
Rule trap, branch, jump, halt, smem;
// load_store.cpp
Rule rows, column, indexed;
// matrix.cpp
Rule accumulator, weight_row;
// dma.cpp
Rule copy, wait, flag;
}  // namespace check

}  // namespace tandem::golden
