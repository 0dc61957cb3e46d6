// Values of rows, eight at a time, that have been stored to VMEM and stand in registers still:
// whoever reads them next takes those. A column load behind the store waits for the store, and
// often for copies between.
#pragma once

#include <cstdint>
#include <vector>

#include "mlir/IR/Value.h"

namespace tandem::compiler {

class KeptRows {
 public:
  // The eight words from this one on hold what the value has in all lanes of its rows.
  void keep(std::int64_t word, mlir::Value value);
  // Null where nothing is known.
  [[nodiscard]] mlir::Value find(std::int64_t word) const;
  // Somebody may have written the buffer.
  void forget(mlir::Value buffer);
  void clear() { rows_.clear(); }

 private:
  struct Row {
    std::int64_t word = 0;
    mlir::Value value;
  };
  std::vector<Row> rows_;
};

}  // namespace tandem::compiler
