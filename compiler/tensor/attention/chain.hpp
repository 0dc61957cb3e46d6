// Operations between two contractions, the second of which sums over the result of the first:
//
//   scores = q k^T;  x = f(scores);  m = max(x);  p = exp(x - m);  l = sum(p);  out = (p / l) v
//
// Neither scores nor the values derived from them need to exist as a whole:
// tensor/attention/fuse_attention.cpp processes a tile of rows and keys at a time. The search is
// for dimensions, not for particular programs: those of the first contraction's result that the
// second one sums over are keys, the others rows, in any order of the operands' dimensions, and
// with any operations in between. Every loop and dimension has a label.
//
//   wide    operations that have a value for each row and key: the scores and values from them
//   sinks   sums, maxima, contractions over the keys
//   narrow  operations on results of sinks, one value or several per row
//
// A wide operation may use the result of a sink in two ways: it takes the exponential of a
// difference from it, or multiplies or divides such an exponential by it. Then it is scaled:
// proportional to a factor of the row, so that sums of it can be corrected afterwards.
#pragma once

#include <optional>

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tandem::compiler::online {

inline constexpr int any = -1;    // neither rows nor keys: processed as a whole
inline constexpr int keys = 999;  // rows are 0, 1, ...
using Labels = llvm::SmallVector<int, 6>;

enum class Kind { wide, sink, narrow };

// The factor by which a row's sums of exponentials are to be multiplied or divided.
struct Factor {
  bool divides = false;
  mlir::Value value;  // narrow
  Labels labels;      // of its dimensions
};

struct Step {
  Step(mlir::linalg::LinalgOp linalg, Kind what)
      : op(linalg), kind(what), loops(linalg.getNumLoops(), any) {}
  // The interface's functions are not const.
  [[nodiscard]] mlir::linalg::LinalgOp linalg() const { return op; }
  [[nodiscard]] mlir::Value result() const { return linalg()->getResult(0); }
  [[nodiscard]] llvm::SmallVector<mlir::OpOperand*> inputs() const {
    return linalg().getDpsInputOperands();
  }

  mlir::linalg::LinalgOp op;
  Kind kind = Kind::wide;
  Labels loops;
  int scaled_by = -1;                    // the exponential to which it is proportional
  llvm::SmallVector<Factor, 1> factors;  // that its tiles do not have
  // In the bodies of scaled operations: products and quotients that become their first operand.
  llvm::DenseMap<mlir::Value, mlir::Value> without_factors;
};

struct Exponential {
  mlir::Value result;   // in its step
  mlir::Value minuend;  // in the step's body
  mlir::Value subtrahend;
};

class Chain {
 public:
  // The chain that ends in this contraction; nothing where there is none.
  static std::optional<Chain> find(mlir::linalg::LinalgOp contraction);

  [[nodiscard]] llvm::ArrayRef<Step> steps() const { return steps_; }        // in the block's order
  [[nodiscard]] llvm::ArrayRef<std::int64_t> rows() const { return rows_; }  // extents
  [[nodiscard]] int main_row() const { return main_row_; }  // the rows that are cut into blocks
  [[nodiscard]] std::int64_t key_count() const { return key_count_; }
  // Sinks and narrow values with readers outside.
  [[nodiscard]] llvm::ArrayRef<mlir::Value> outputs() const { return outputs_; }
  [[nodiscard]] bool has(mlir::Value value) const { return labels_.contains(value); }
  [[nodiscard]] const Labels& labels_of(mlir::Value value) const {
    return labels_.find(value)->second;
  }
  // Labels of an operand's dimensions.
  [[nodiscard]] static Labels labels_of(const Step& step, mlir::OpOperand& operand);

  // Exponentials of differences from values derived from the keys. All have the same operand.
  [[nodiscard]] llvm::ArrayRef<Exponential> exponentials() const { return exponentials_; }
  // The sink that holds the maximum of their operand; null: there is none.
  [[nodiscard]] const Step* maximum() const;
  // Whether the operand has one value per row.
  [[nodiscard]] static bool is_by_row(const Step& step, mlir::OpOperand& operand);
  // The exponential in this step; nothing where there is none.
  [[nodiscard]] const Exponential* exponential_of(const Step& step) const;

 private:
  bool start(mlir::linalg::LinalgOp contraction, mlir::OpOperand& operand);
  void find_wide(mlir::Value value, const Labels& labels);
  bool keep_closed();
  bool find_sinks();
  bool find_narrow();
  bool add_narrow(mlir::Value value, const Labels& labels);
  bool find_scales();
  // Arguments of a step's body: values of sinks, and values already scaled by them, if any.
  struct ScaledInputs {
    llvm::SmallDenseSet<mlir::Value> narrow;
    mlir::Value scaled;
  };
  std::optional<ScaledInputs> scaled_inputs(Step& step);
  mlir::Value take_exponential(Step& step, const llvm::SmallDenseSet<mlir::Value>& narrow);
  bool scale_wide(Step& step);
  std::optional<Exponential> find_exponential(const Step& step,
                                              const llvm::SmallDenseSet<mlir::Value>& narrow) const;
  [[nodiscard]] bool is_of_the_same(const Step& step, mlir::Value minuend) const;
  bool scale_sink(Step& step);
  void absorb_readers();
  bool find_outputs();
  [[nodiscard]] bool depends(mlir::Value value);
  [[nodiscard]] Step* step_of(mlir::Value value);
  void sort_steps();

  llvm::SmallVector<Step> steps_;
  llvm::DenseMap<mlir::Value, Labels> labels_;  // for steps' results
  llvm::DenseMap<mlir::Value, bool> depends_;
  llvm::SmallVector<std::int64_t> rows_;
  llvm::SmallVector<mlir::Value> outputs_;
  int main_row_ = 0;
  std::int64_t key_count_ = 0;
  llvm::SmallVector<Exponential, 1> exponentials_;
};

}  // namespace tandem::compiler::online
