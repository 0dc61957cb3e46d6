// Values of rows, eight at a time, that have been stored to VMEM and are still in registers: the
// next reader uses the registers. A column load after the store waits for the store, and often for
// copies between.
#pragma once

#include <cstdint>
#include <vector>

#include "mlir/IR/Value.h"

namespace tandem::compiler {

class KeptRows {
 public:
  // The eight words from this one on have been written: they hold the value of each row, which is
  // in all of its lanes, and replace anything kept for these words before.
  void keep(std::int64_t word, mlir::Value value);
  // Null where nothing is known.
  [[nodiscard]] mlir::Value find(std::int64_t word) const;
  // The buffer may have been written.
  void forget(mlir::Value buffer);
  void clear() { rows_.clear(); }

 private:
  void forget_words(std::int64_t first, std::int64_t end);

  struct Row {
    std::int64_t word = 0;
    mlir::Value value;
  };
  std::vector<Row> rows_;
};

}  // namespace tandem::compiler
