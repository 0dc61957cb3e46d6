#include "isa/golden/semantics.hpp"

namespace tandem::golden {

// NOLINTNEXTLINE(readability-function-size): a table
Execute semantic_function(Op op) {
  switch (op) {
    case Op::add: return execute::add;
    case Op::sub: return execute::sub;
    case Op::mul: return execute::mul;
    case Op::mulhu: return execute::mulhu;
    case Op::bit_and: return execute::bit_and;
    case Op::bit_or: return execute::bit_or;
    case Op::bit_xor: return execute::bit_xor;
    case Op::bit_not: return execute::bit_not;
    case Op::shl: return execute::shl;
    case Op::shr: return execute::shr;
    case Op::sar: return execute::sar;
    case Op::min_s32: return execute::min_s32;
    case Op::max_s32: return execute::max_s32;
    case Op::min_u32: return execute::min_u32;
    case Op::max_u32: return execute::max_u32;
    case Op::mov: return execute::mov;
    case Op::sel: return execute::sel;
    case Op::eq: return execute::eq;
    case Op::ne: return execute::ne;
    case Op::lt_s32: return execute::lt_s32;
    case Op::le_s32: return execute::le_s32;
    case Op::gt_s32: return execute::gt_s32;
    case Op::ge_s32: return execute::ge_s32;
    case Op::lt_u32: return execute::lt_u32;
    case Op::le_u32: return execute::le_u32;
    case Op::gt_u32: return execute::gt_u32;
    case Op::ge_u32: return execute::ge_u32;
    case Op::pand: return execute::pand;
    case Op::por: return execute::por;
    case Op::pxor: return execute::pxor;
    case Op::call: return execute::call;
    case Op::sld: return execute::sld;
    case Op::sst: return execute::sst;
    case Op::ssti: return execute::ssti;
    case Op::csr: return execute::csr;
    case Op::vadd_f32: return execute::vadd_f32;
    case Op::vsub_f32: return execute::vsub_f32;
    case Op::vmul_f32: return execute::vmul_f32;
    case Op::vmulerr_f32: return execute::vmulerr_f32;
    case Op::vmin_f32: return execute::vmin_f32;
    case Op::vmax_f32: return execute::vmax_f32;
    case Op::veq_f32: return execute::veq_f32;
    case Op::vne_f32: return execute::vne_f32;
    case Op::vlt_f32: return execute::vlt_f32;
    case Op::vle_f32: return execute::vle_f32;
    case Op::vfloor_f32: return execute::vfloor_f32;
    case Op::vround_f32: return execute::vround_f32;
    case Op::vcvt_f32_s32: return execute::vcvt_f32_s32;
    case Op::vcvt_s32_f32: return execute::vcvt_s32_f32;
    case Op::vtrunc_s32_f32: return execute::vtrunc_s32_f32;
    case Op::vpack_bf16: return execute::vpack_bf16;
    case Op::vpack_s8: return execute::vpack_s8;
    case Op::vext_s32_s8: return execute::vext_s32_s8;
    case Op::vext_f32_s8: return execute::vext_f32_s8;
    case Op::vadd_s32: return execute::vadd_s32;
    case Op::vsub_s32: return execute::vsub_s32;
    case Op::vmul_s32: return execute::vmul_s32;
    case Op::vand: return execute::vand;
    case Op::vor: return execute::vor;
    case Op::vxor: return execute::vxor;
    case Op::vshl: return execute::vshl;
    case Op::vshr: return execute::vshr;
    case Op::vsar: return execute::vsar;
    case Op::vmin_s32: return execute::vmin_s32;
    case Op::vmax_s32: return execute::vmax_s32;
    case Op::veq_s32: return execute::veq_s32;
    case Op::vne_s32: return execute::vne_s32;
    case Op::vlt_s32: return execute::vlt_s32;
    case Op::vle_s32: return execute::vle_s32;
    case Op::vmin_u32: return execute::vmin_u32;
    case Op::vmax_u32: return execute::vmax_u32;
    case Op::vlt_u32: return execute::vlt_u32;
    case Op::vle_u32: return execute::vle_u32;
    case Op::vrotl: return execute::vrotl;
    case Op::vclz: return execute::vclz;
    case Op::vpop: return execute::vpop;
    case Op::mand: return execute::mand;
    case Op::mor: return execute::mor;
    case Op::mxor: return execute::mxor;
    case Op::vsel: return execute::vsel;
    case Op::vlane: return execute::vlane;
    case Op::vsublane: return execute::vsublane;
    case Op::vrot_sub: return execute::vrot_sub;
    case Op::vbcast_sub: return execute::vbcast_sub;
    case Op::vmov: return execute::vmov;
    case Op::mpop: return execute::mpop;
    case Op::mffs: return execute::mffs;
    case Op::vld: return execute::vld;
    case Op::vldc: return execute::vldc;
    case Op::vldx: return execute::vldx;
    case Op::vstx: return execute::vstx;
    case Op::vst: return execute::vst;
    case Op::mxpush: return execute::mxpush;
    case Op::mxpusht: return execute::mxpusht;
    case Op::mxmul_bf16: return execute::mxmul_bf16;
    case Op::mxmul_s8: return execute::mxmul_s8;
    case Op::mxread: return execute::mxread;
    case Op::exp2: return execute::exp2;
    case Op::log2: return execute::log2;
    case Op::rcp: return execute::rcp;
    case Op::rsqrt: return execute::rsqrt;
    case Op::tanh: return execute::tanh;
    case Op::lsum_f32: return execute::lsum_f32;
    case Op::lmax_f32: return execute::lmax_f32;
    case Op::lmin_f32: return execute::lmin_f32;
    case Op::largmax_f32: return execute::largmax_f32;
    case Op::lsum_s32: return execute::lsum_s32;
    case Op::lmax_s32: return execute::lmax_s32;
    case Op::lmin_s32: return execute::lmin_s32;
    case Op::largmax_s32: return execute::largmax_s32;
    case Op::ssum_f32: return execute::ssum_f32;
    case Op::smax_f32: return execute::smax_f32;
    case Op::smin_f32: return execute::smin_f32;
    case Op::sargmax_f32: return execute::sargmax_f32;
    case Op::ssum_s32: return execute::ssum_s32;
    case Op::smax_s32: return execute::smax_s32;
    case Op::smin_s32: return execute::smin_s32;
    case Op::sargmax_s32: return execute::sargmax_s32;
    case Op::lrot: return execute::lrot;
    case Op::lbcast: return execute::lbcast;
    case Op::lperm: return execute::lperm;
    case Op::transpose: return execute::transpose;
    case Op::extract: return execute::extract;
    case Op::copy: return execute::copy;
    case Op::fadd: return execute::fadd;
    case Op::fset: return execute::fset;
    // All of their effect is in the check.
    case Op::br:
    case Op::jump:
    case Op::ret:
    case Op::idle:
    case Op::marker:
    case Op::halt:
    case Op::trap:
    case Op::wait: return execute::nothing;
  }
  return nullptr;
}

// NOLINTNEXTLINE(readability-function-size): a table
Check check_function(Op op) {
  switch (op) {
    case Op::trap: return check::trap;
    case Op::br:
    case Op::call: return check::branch;
    case Op::jump:
    case Op::ret: return check::jump;
    case Op::halt: return check::halt;
    case Op::sld:
    case Op::sst:
    case Op::ssti: return check::smem;
    case Op::vld:
    case Op::vst: return check::rows;
    case Op::vldc: return check::column;
    case Op::vldx:
    case Op::vstx: return check::indexed;
    case Op::mxmul_bf16:
    case Op::mxmul_s8:
    case Op::mxread: return check::accumulator;
    case Op::mxpush:
    case Op::mxpusht: return check::weight_row;
    case Op::copy: return check::copy;
    case Op::wait: return check::wait;
    case Op::fadd:
    case Op::fset: return check::flag;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::mulhu:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::bit_not:
    case Op::shl:
    case Op::shr:
    case Op::sar:
    case Op::min_s32:
    case Op::max_s32:
    case Op::min_u32:
    case Op::max_u32:
    case Op::mov:
    case Op::sel:
    case Op::eq:
    case Op::ne:
    case Op::lt_s32:
    case Op::le_s32:
    case Op::gt_s32:
    case Op::ge_s32:
    case Op::lt_u32:
    case Op::le_u32:
    case Op::gt_u32:
    case Op::ge_u32:
    case Op::pand:
    case Op::por:
    case Op::pxor:
    case Op::idle:
    case Op::marker:
    case Op::csr:
    case Op::vadd_f32:
    case Op::vsub_f32:
    case Op::vmul_f32:
    case Op::vmulerr_f32:
    case Op::vmin_f32:
    case Op::vmax_f32:
    case Op::veq_f32:
    case Op::vne_f32:
    case Op::vlt_f32:
    case Op::vle_f32:
    case Op::vfloor_f32:
    case Op::vround_f32:
    case Op::vcvt_f32_s32:
    case Op::vcvt_s32_f32:
    case Op::vtrunc_s32_f32:
    case Op::vpack_bf16:
    case Op::vpack_s8:
    case Op::vext_s32_s8:
    case Op::vext_f32_s8:
    case Op::vadd_s32:
    case Op::vsub_s32:
    case Op::vmul_s32:
    case Op::vand:
    case Op::vor:
    case Op::vxor:
    case Op::vshl:
    case Op::vshr:
    case Op::vsar:
    case Op::vmin_s32:
    case Op::vmax_s32:
    case Op::veq_s32:
    case Op::vne_s32:
    case Op::vlt_s32:
    case Op::vle_s32:
    case Op::vmin_u32:
    case Op::vmax_u32:
    case Op::vlt_u32:
    case Op::vle_u32:
    case Op::vrotl:
    case Op::vclz:
    case Op::vpop:
    case Op::mand:
    case Op::mor:
    case Op::mxor:
    case Op::vsel:
    case Op::vlane:
    case Op::vsublane:
    case Op::vrot_sub:
    case Op::vbcast_sub:
    case Op::vmov:
    case Op::mpop:
    case Op::mffs:
    case Op::exp2:
    case Op::log2:
    case Op::rcp:
    case Op::rsqrt:
    case Op::tanh:
    case Op::lsum_f32:
    case Op::lmax_f32:
    case Op::lmin_f32:
    case Op::largmax_f32:
    case Op::lsum_s32:
    case Op::lmax_s32:
    case Op::lmin_s32:
    case Op::largmax_s32:
    case Op::ssum_f32:
    case Op::smax_f32:
    case Op::smin_f32:
    case Op::sargmax_f32:
    case Op::ssum_s32:
    case Op::smax_s32:
    case Op::smin_s32:
    case Op::sargmax_s32:
    case Op::lrot:
    case Op::lbcast:
    case Op::lperm:
    case Op::transpose:
    case Op::extract: return nullptr;
  }
  return nullptr;
}

}  // namespace tandem::golden
