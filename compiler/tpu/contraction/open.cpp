// Contractions whose end overlaps with the beginning of the next one.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/contraction/lowering.hpp"
#include "compiler/tpu/in_flight.hpp"
#include "compiler/views/access.hpp"

namespace tandem::compiler {

using mlir::Value;

namespace {

// Merges two adjacent views of a buffer with the same rows.
bool are_beside(Value one, Value other) {
  const auto a = mlir::cast<mlir::MemRefType>(one.getType());
  const auto b = mlir::cast<mlir::MemRefType>(other.getType());
  Sizes strides;
  Sizes same;
  std::int64_t offset = 0;
  if (a.getRank() != 2 || a.getShape() != b.getShape() || !a.hasStaticShape() ||
      mlir::failed(a.getStridesAndOffset(strides, offset)) ||
      mlir::failed(b.getStridesAndOffset(same, offset)) || strides != same || strides[1] != 1) {
    return false;
  }
  const auto apart = distance(one, other);
  if (!apart || strides[0] <= 0) return false;
  const std::int64_t columns = a.getDimSize(1);
  const std::int64_t along = ((*apart % strides[0]) + strides[0]) % strides[0];
  return along >= columns && along + columns <= strides[0];
}

}  // namespace

bool ContractionLowering::take_accumulators(const ContractionLowering& before) {
  const std::int64_t needed = plan_.accumulators_needed();
  const std::int64_t behind = before.first_accumulator_ + before.plan_.accumulators_needed();
  const bool meets =
      first_accumulator_ < behind && before.first_accumulator_ < first_accumulator_ + needed;
  if (!meets) return true;
  if (behind + needed <= accumulators) {
    first_accumulator_ = behind;
    return true;
  }
  first_accumulator_ = 0;
  return needed <= before.first_accumulator_;
}

bool ContractionLowering::allows(mlir::Operation* op) const {
  mlir::linalg::LinalgOp open = op_;
  const Value rows = buffer_behind(open.getDpsInputs().front());
  const Value result = open.getDpsInits().front();
  const auto meets = [&](Value buffer, Value other) {
    return share_memory(buffer_behind(buffer), other);
  };
  if (is_view(op) || mlir::isa<mlir::memref::AllocOp>(op)) return true;
  if (!left_over_) return false;
  if (auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op)) {
    return !meets(copy.getTarget(), rows) && !meets(copy.getTarget(), buffer_behind(result)) &&
           !meet(reach_of(copy.getSource()), reach_of(result));
  }
  auto next = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!next || !attribute::precision.is_on(op) || attribute::vector.is_on(op)) return false;
  const Value written = next.getDpsInits().front();
  if (meets(written, rows)) return false;
  for (const Value read : next.getDpsInputs()) {
    if (meets(read, buffer_behind(result))) return false;
  }
  return !meet(reach_of(result), reach_of(written)) ||
         (buffer_behind(written) == buffer_behind(result) && are_beside(result, written));
}

mlir::LogicalResult ContractionLowering::start(llvm::ArrayRef<mlir::memref::CopyOp> started) {
  for (mlir::memref::CopyOp copy : started) {
    copy->moveBefore(builder_.getInsertionBlock(), builder_.getInsertionPoint());
    if (mlir::failed(memory_.lower_copy(builder_, copy))) return mlir::failure();
  }
  return mlir::success();
}

mlir::LogicalResult ContractionLowering::close(mlir::OpBuilder& builder) {
  go_on_at(builder);
  const auto nothing = [] {};
  if (left_over_) last_step({nothing});
  if (mlir::failed(start(copies_before))) return mlir::failure();
  return last_results(copies);
}

std::int64_t ContractionLowering::groups_before(mlir::memref::CopyOp copy) const {
  const Reach taken = reach_of(copy.getSource());
  for (std::int64_t group = all_groups(); group > 0; --group) {
    const std::int64_t first = (group - 1) * sublanes;
    const std::int64_t rows = std::min<std::int64_t>(sublanes, plan_.rows - first);
    const Reach words = words_of(plan_.result, {builder_.getIndexAttr(0), 0, 0, 0},
                                 builder_.getIndexAttr(first), {plan_.steps.tiles - 1}, rows);
    if (meet(words, taken)) return group;
  }
  return 0;
}

mlir::LogicalResult ContractionLowering::last_results(
    llvm::ArrayRef<mlir::memref::CopyOp> started) {
  tile_ = {plan_.steps.tiles - 1};
  std::int64_t read = 0;
  for (mlir::memref::CopyOp copy : started) {
    const std::int64_t end = std::max(read, groups_before(copy));
    // What is written out leaves room for the copy between.
    read_groups(read, end, end < all_groups() || read > 0 ? few_beside : few_alone);
    read = end;
    if (mlir::failed(start(copy))) return mlir::failure();
  }
  read_groups(read, all_groups(), read > 0 ? few_beside : few_alone);
  return mlir::success();
}

}  // namespace tandem::compiler
