// Batcher's bitonic network, on tables of rows. Every comparison puts the first element in the
// upper row, so padding never leaves the end of a table, and blocks beyond the last element are
// skipped.
//
// Three levels of comparisons are one operation, on eight rows at a time that stay in registers
// between them.
#pragma once

#include "compiler/tensor/tables/table.hpp"

namespace tandem::compiler {

// Compares and exchanges two elements, one value per field each: the one that comes first is in the
// first list afterwards.
using Exchange =
    llvm::function_ref<void(mlir::OpBuilder&, mlir::Location, llvm::SmallVector<mlir::Value>&,
                            llvm::SmallVector<mlir::Value>&)>;

class Network {
 public:
  // In each batch the first `used` rows hold elements.
  Network(mlir::OpBuilder& builder, mlir::Location loc, Table& table, std::int64_t used,
          Exchange exchange)
      : builder_(builder), loc_(loc), table_(table), used_(used), exchange_(exchange) {}

  // Sorts blocks of 2^levels rows.
  void sort(int levels);
  // Merges two consecutive sorted blocks into one: 2^levels rows.
  void merge_sorted(int levels);
  // Sorts blocks of 2^levels rows that are bitonic.
  void merge_bitonic(int levels);
  // From sorted blocks of 2^levels rows, one block of the first elements: at the beginning.
  void keep_first(int levels);

 private:
  using Pair = std::pair<unsigned, unsigned>;
  using Pairs = llvm::SmallVector<Pair>;
  // The elements of each operation's body, one value per field each.
  using Elements = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;

  void within_groups(const Pairs& pairs);
  void between_groups(int lowest, int levels, bool turned);
  void levels_between(int levels, bool turned);
  void exchanged(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> views,
                 llvm::ArrayRef<mlir::AffineMap> maps, const Pairs& pairs);
  [[nodiscard]] std::int64_t blocks(int levels) const {
    return (used_ + (std::int64_t{1} << levels) - 1) >> levels;
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Table& table_;
  std::int64_t used_;
  Exchange exchange_;
};

// log2 of a power of two, or of the next one.
int levels_of(std::int64_t count);

}  // namespace tandem::compiler
