// TEMPORARY: instructions not written yet abort by name.
#include <cstdio>
#include <cstdlib>

#include "isa/golden/semantics.hpp"

namespace tandem::golden::execute {
namespace {
[[noreturn]] void missing(const char* name) {
  std::fprintf(stderr, "unimplemented: %s\n", name);
  std::abort();
}
}  // namespace
void vadd_f32(Core&, const MicroOp&) { missing("vadd_f32"); }
void vsub_f32(Core&, const MicroOp&) { missing("vsub_f32"); }
void vmul_f32(Core&, const MicroOp&) { missing("vmul_f32"); }
void vmin_f32(Core&, const MicroOp&) { missing("vmin_f32"); }
void vmax_f32(Core&, const MicroOp&) { missing("vmax_f32"); }
void veq_f32(Core&, const MicroOp&) { missing("veq_f32"); }
void vne_f32(Core&, const MicroOp&) { missing("vne_f32"); }
void vlt_f32(Core&, const MicroOp&) { missing("vlt_f32"); }
void vle_f32(Core&, const MicroOp&) { missing("vle_f32"); }
void vfloor_f32(Core&, const MicroOp&) { missing("vfloor_f32"); }
void vround_f32(Core&, const MicroOp&) { missing("vround_f32"); }
void vcvt_f32_s32(Core&, const MicroOp&) { missing("vcvt_f32_s32"); }
void vcvt_s32_f32(Core&, const MicroOp&) { missing("vcvt_s32_f32"); }
void vtrunc_s32_f32(Core&, const MicroOp&) { missing("vtrunc_s32_f32"); }
void vpack_bf16(Core&, const MicroOp&) { missing("vpack_bf16"); }
void vpack_s8(Core&, const MicroOp&) { missing("vpack_s8"); }
void vext_s32_s8(Core&, const MicroOp&) { missing("vext_s32_s8"); }
void vext_f32_s8(Core&, const MicroOp&) { missing("vext_f32_s8"); }
void vadd_s32(Core&, const MicroOp&) { missing("vadd_s32"); }
void vsub_s32(Core&, const MicroOp&) { missing("vsub_s32"); }
void vmul_s32(Core&, const MicroOp&) { missing("vmul_s32"); }
void vand(Core&, const MicroOp&) { missing("vand"); }
void vor(Core&, const MicroOp&) { missing("vor"); }
void vxor(Core&, const MicroOp&) { missing("vxor"); }
void vshl(Core&, const MicroOp&) { missing("vshl"); }
void vshr(Core&, const MicroOp&) { missing("vshr"); }
void vsar(Core&, const MicroOp&) { missing("vsar"); }
void vmin_s32(Core&, const MicroOp&) { missing("vmin_s32"); }
void vmax_s32(Core&, const MicroOp&) { missing("vmax_s32"); }
void veq_s32(Core&, const MicroOp&) { missing("veq_s32"); }
void vne_s32(Core&, const MicroOp&) { missing("vne_s32"); }
void vlt_s32(Core&, const MicroOp&) { missing("vlt_s32"); }
void vle_s32(Core&, const MicroOp&) { missing("vle_s32"); }
void mand(Core&, const MicroOp&) { missing("mand"); }
void mor(Core&, const MicroOp&) { missing("mor"); }
void mxor(Core&, const MicroOp&) { missing("mxor"); }
void mpop(Core&, const MicroOp&) { missing("mpop"); }
void mffs(Core&, const MicroOp&) { missing("mffs"); }
void vsel(Core&, const MicroOp&) { missing("vsel"); }
void vlane(Core&, const MicroOp&) { missing("vlane"); }
void vsublane(Core&, const MicroOp&) { missing("vsublane"); }
void vrot_sub(Core&, const MicroOp&) { missing("vrot_sub"); }
void vbcast_sub(Core&, const MicroOp&) { missing("vbcast_sub"); }
void vmov(Core&, const MicroOp&) { missing("vmov"); }
void vld(Core&, const MicroOp&) { missing("vld"); }
void vldc(Core&, const MicroOp&) { missing("vldc"); }
void vst(Core&, const MicroOp&) { missing("vst"); }
void mxpush(Core&, const MicroOp&) { missing("mxpush"); }
void mxpusht(Core&, const MicroOp&) { missing("mxpusht"); }
void mxmul_bf16(Core&, const MicroOp&) { missing("mxmul_bf16"); }
void mxmul_s8(Core&, const MicroOp&) { missing("mxmul_s8"); }
void mxread(Core&, const MicroOp&) { missing("mxread"); }
void exp2(Core&, const MicroOp&) { missing("exp2"); }
void log2(Core&, const MicroOp&) { missing("log2"); }
void rcp(Core&, const MicroOp&) { missing("rcp"); }
void rsqrt(Core&, const MicroOp&) { missing("rsqrt"); }
void tanh(Core&, const MicroOp&) { missing("tanh"); }
void lsum_f32(Core&, const MicroOp&) { missing("lsum_f32"); }
void lmax_f32(Core&, const MicroOp&) { missing("lmax_f32"); }
void lmin_f32(Core&, const MicroOp&) { missing("lmin_f32"); }
void largmax_f32(Core&, const MicroOp&) { missing("largmax_f32"); }
void lsum_s32(Core&, const MicroOp&) { missing("lsum_s32"); }
void lmax_s32(Core&, const MicroOp&) { missing("lmax_s32"); }
void lmin_s32(Core&, const MicroOp&) { missing("lmin_s32"); }
void largmax_s32(Core&, const MicroOp&) { missing("largmax_s32"); }
void ssum_f32(Core&, const MicroOp&) { missing("ssum_f32"); }
void smax_f32(Core&, const MicroOp&) { missing("smax_f32"); }
void smin_f32(Core&, const MicroOp&) { missing("smin_f32"); }
void sargmax_f32(Core&, const MicroOp&) { missing("sargmax_f32"); }
void ssum_s32(Core&, const MicroOp&) { missing("ssum_s32"); }
void smax_s32(Core&, const MicroOp&) { missing("smax_s32"); }
void smin_s32(Core&, const MicroOp&) { missing("smin_s32"); }
void sargmax_s32(Core&, const MicroOp&) { missing("sargmax_s32"); }
void lrot(Core&, const MicroOp&) { missing("lrot"); }
void lbcast(Core&, const MicroOp&) { missing("lbcast"); }
void lperm(Core&, const MicroOp&) { missing("lperm"); }
void transpose(Core&, const MicroOp&) { missing("transpose"); }
void extract(Core&, const MicroOp&) { missing("extract"); }
void commit_mask(Core&, const MicroOp&) { missing("commit_mask"); }
void commit_vector(Core&, const MicroOp&) { missing("commit_vector"); }
}  // namespace tandem::golden::execute
namespace tandem::golden::check {
bool rows(Core&, const MicroOp&) { std::abort(); }
bool column(Core&, const MicroOp&) { std::abort(); }
bool accumulator(Core&, const MicroOp&) { std::abort(); }
bool weight_row(Core&, const MicroOp&) { std::abort(); }
}  // namespace tandem::golden::check
