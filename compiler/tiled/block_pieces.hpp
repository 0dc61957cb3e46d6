// Operations that fit VMEM with all their operands, in a few pieces of their rows.
//
// As a whole they would wait for all their copies from HBM, and all their results would be copied
// out after them. In pieces, all incoming copies start immediately, each piece is processed when it
// has arrived, and leaves while the next one is processed. There is no loop.
#pragma once

#include <optional>

#include "compiler/tiled/block_group.hpp"

namespace tandem::compiler::blocks {

class Pieces {
 public:
  // Nothing where little is copied in or out, or pieces would not be whole rows.
  static std::optional<Pieces> find(const Group& group, const Parameters& machine);

  // Before the group's last operation.
  void emit(mlir::OpBuilder& builder) const;

 private:
  explicit Pieces(const Group& group) : group_(&group) {}
  bool find_ends(std::int64_t lanes);
  [[nodiscard]] std::int64_t rows_of_piece(std::int64_t beats) const;
  [[nodiscard]] std::int64_t rows_at(std::int64_t start) const;

  const Group* group_;
  llvm::SmallVector<mlir::Value> comes_;  // from HBM, for this group alone
  llvm::SmallVector<mlir::Value> goes_;   // to HBM, from this group alone
  std::int64_t beats_ = 0;                // of both
  std::int64_t step_ = 0;                 // rows of a piece; the last one may have fewer
};

}  // namespace tandem::compiler::blocks
