#include "compiler/tpu/contraction/vector_products.hpp"

#include "compiler/contract/attributes.hpp"

namespace tandem::compiler {

using mlir::Value;

VectorProducts::VectorProducts(mlir::OpBuilder& builder, const Parameters& machine,
                               llvm::ArrayRef<mlir::linalg::LinalgOp> ops)
    : TpuBuilder(builder, mlir::linalg::LinalgOp(ops.front()).getLoc()),
      machine_(machine),
      ops_(ops),
      rounds_(attribute::precision.get(ops.front()).getValue() == "DEFAULT") {}

Value VectorProducts::multiplied(const Source& a, const Source& b) {
  llvm::SmallVector<mlir::NamedAttribute> forms;
  if (!a.part.empty()) forms.push_back(text("x", a.part));
  if (!b.part.empty()) forms.push_back(text("y", b.part));
  return make("vmul.f32", {a.vector, b.vector}, forms);
}

VectorProducts::Sources VectorProducts::rounded(const Values& vectors,
                                                const ContractionTile& tile) {
  Sources result;
  if (!rounds_ || tile.is_bf16) {
    for (const Value vector : vectors) result.push_back({vector, ""});
    return result;
  }
  for (std::size_t i = 0; i < vectors.size(); i += 2) {
    const Value second = vectors[std::min(i + 1, vectors.size() - 1)];
    const Value packed = make("vpack.bf16", {vectors[i], second});
    result.push_back({packed, "lo"});
    if (i + 1 < vectors.size()) result.push_back({packed, "hi"});
  }
  return result;
}

llvm::StringRef VectorProducts::part(const ContractionTile& tile, std::int64_t half) {
  if (tile.part == "halves") return half == 0 ? "lo" : "hi";
  return tile.part;
}

void VectorProducts::store_sums(mlir::linalg::LinalgOp op, VmemAddress place, Value mask,
                                Value sums) {
  if (!attribute::overwrites.is_on(op)) {
    VmemAddress from = place;
    if (mask) from.registers.push_back(mask);
    sums = make("vadd.f32", {load_at(builder_, loc_, "vld", from), sums});
  }
  place.registers.push_back(sums);
  if (mask) place.registers.push_back(mask);
  store_at(builder_, loc_, place);
}

}  // namespace tandem::compiler
