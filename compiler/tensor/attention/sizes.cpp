// The tile sizes of a chain: those that fit VMEM, and cost least by a rough model.
#include <cmath>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/tensor/attention/tiles.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/residence.hpp"

namespace tandem::compiler::online {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

std::int64_t vmem_words(llvm::ArrayRef<std::int64_t> shape, mlir::Type element,
                        const Parameters& machine) {
  return vmem_words_of(mlir::MemRefType::get(shape, element), machine.lanes);
}

}  // namespace

// Keys and values: operands without the main rows.
bool Tiles::may_hold(const Labels& labels) const {
  return llvm::is_contained(labels, keys) && !llvm::is_contained(labels, chain_.main_row());
}

bool Tiles::comes_by_tiles(const Labels& labels, TileSizes sizes) const {
  return llvm::is_contained(labels, keys) && !(sizes.holds && may_hold(labels));
}

llvm::SmallVector<std::pair<Value, Labels>> Tiles::from_outside(const Step& step) const {
  llvm::SmallVector<std::pair<Value, Labels>> result;
  for (mlir::OpOperand* input : step.inputs()) {
    if (chain_.has(input->get()) || !mlir::isa<RankedTensorType>(input->get().getType())) continue;
    result.emplace_back(input->get(), Chain::labels_of(step, *input));
  }
  return result;
}

llvm::SmallVector<std::int64_t> Tiles::shape_of(Value value, const Labels& labels,
                                                TileSizes sizes) const {
  llvm::SmallVector<std::int64_t> shape;
  for (const auto [label, whole] : llvm::zip(labels, tensor_type_of(value).getShape())) {
    shape.push_back(label == any                 ? whole
                    : label == keys              ? sizes.keys
                    : label == chain_.main_row() ? sizes.rows
                                                 : 1);
  }
  return shape;
}

std::int64_t Tiles::words_of(Value value, const Labels& labels, TileSizes sizes) const {
  return vmem_words(shape_of(value, labels, sizes), tensor_type_of(value).getElementType(),
                    machine_);
}

bool Tiles::fits_as_it_is() const {
  std::int64_t sum = 0;
  llvm::SmallDenseSet<Value> counted;
  const auto count = [&](Value value) {
    const auto type = mlir::dyn_cast<RankedTensorType>(value.getType());
    if (type && counted.insert(value).second) {
      sum += vmem_words(type.getShape(), type.getElementType(), machine_);
    }
  };
  std::int64_t widest = 0;
  for (const Step& step : chain_.steps()) {
    const RankedTensorType type = tensor_type_of(step.op->getResult(0));
    if (step.kind == Kind::wide) {
      widest = std::max(widest, vmem_words(type.getShape(), type.getElementType(), machine_));
    } else {
      count(step.op->getResult(0));
    }
    for (Value input : step.linalg().getDpsInputs()) {
      if (!chain_.has(input)) count(input);
    }
  }
  return sum + widest <= resident_words(machine_);
}

bool Tiles::is_worth_it() const {
  std::int64_t widest = 0;
  std::int64_t largest = 0;  // of the others
  for (const Step& step : chain_.steps()) {
    const std::int64_t made =
        words_of(step.result(), Labels(tensor_type_of(step.result()).getRank(), any), {});
    (step.kind == Kind::wide ? widest : largest) =
        std::max(made, step.kind == Kind::wide ? widest : largest);
  }
  return widest >= largest && 2 * widest > resident_words(machine_) && !fits_as_it_is() &&
         (past_ || !(fits_in_rows() || streams_in_rows()));
}

std::int64_t Tiles::words(TileSizes sizes, int wide_tiles) const {
  std::int64_t sum = 0;
  std::int64_t widest = 0;
  for (const Step& step : chain_.steps()) {
    const std::int64_t made = words_of(step.result(), chain_.labels_of(step.result()), sizes);
    if (step.kind == Kind::wide) {
      widest = std::max(widest, made);
    } else {
      sum += made;
    }
    for (const auto& [input, labels] : from_outside(step)) {
      const bool is_held = sizes.holds && may_hold(labels);
      sum += words_of(input, labels, {sizes.rows, is_held ? whole_.keys : sizes.keys});
    }
  }
  return sum + wide_tiles * widest;
}

// Whether all values with rows have them first, the main ones last among them: only then can they
// be cut where buffers are.
bool Tiles::begins_with_rows() const {
  const auto is_row = [](int label) { return label != any && label != keys; };
  const auto has_length = [&](int label) {
    return is_row(label) && chain_.rows()[static_cast<unsigned>(label)] > 1;
  };
  const auto begins = [&](const Labels& labels) {
    if (!llvm::is_contained(labels, chain_.main_row())) return true;
    const auto* const main = llvm::find(labels, chain_.main_row());
    return std::all_of(labels.begin(), main, is_row) &&
           std::none_of(main + 1, labels.end(), has_length);
  };
  for (const Step& step : chain_.steps()) {
    if (!begins(chain_.labels_of(step.result()))) return false;
    for (mlir::OpOperand* input : step.inputs()) {
      if (!begins(Chain::labels_of(step, *input))) return false;
    }
  }
  return true;
}

bool Tiles::fits_in_rows() const {
  constexpr std::int64_t enough = 16;  // rows
  if (!begins_with_rows()) return false;
  for (std::int64_t blocks = 4; whole_.rows / blocks >= enough; blocks += 2) {
    const TileSizes sizes{whole_.rows / blocks, whole_.keys, true};
    const bool divides = whole_.rows % blocks == 0;
    if (divides && !threshold::attention_rows_in_vmem(words(sizes, 1), machine_)) return true;
  }
  return false;
}

// Whether blocks of whole rows (tiled/cut_into_blocks.cpp) are large enough to multiply for twice
// as long as the other operands' tiles take to arrive, again for each block. Only where nothing
// sums over the keys in between: then the operands may stay packed.
bool Tiles::streams_in_rows() const {
  const TileSizes sizes{2 * std::int64_t{machine_.lanes}, whole_.keys, true};
  if (!begins_with_rows() || whole_.rows % (2 * sizes.rows) != 0) return false;
  std::int64_t sum = 0;
  int sinks = 0;
  for (const Step& step : chain_.steps()) {
    if (step.kind == Kind::sink && ++sinks > 1) return false;
    // A block that is copied in or out has a twin.
    const bool goes = llvm::none_of(chain_.steps(), [&](const Step& other) {
      return llvm::is_contained(other.op->getOperands(), step.result());
    });
    sum += (goes ? 2 : 1) * words_of(step.result(), chain_.labels_of(step.result()), sizes);
    for (const auto& [input, labels] : from_outside(step)) {
      if (llvm::is_contained(labels, chain_.main_row())) {
        sum += 2 * words_of(input, labels, sizes);
      }
    }
  }
  return sum <= resident_words(machine_);
}

// Tiles of keys of all blocks of rows: early ones need few of them, and the last one all.
std::int64_t Tiles::tiles_of_keys(TileSizes sizes) const {
  const auto tiles = [&](std::int64_t needed) { return (needed + sizes.keys - 1) / sizes.keys; };
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row < whole_.rows; row += sizes.rows) {
    sum += tiles(past_ ? std::min(whole_.keys, row + sizes.rows) : whole_.keys);
  }
  return sum;
}

// Cycles of the matrix unit for a tile, whatever the layout.
double Tiles::multiplications(const Step& step, TileSizes sizes) const {
  const double lanes = machine_.lanes;
  double sum = static_cast<double>(sizes.rows) * static_cast<double>(sizes.keys);
  for (const auto [label, range] : llvm::zip(step.loops, step.linalg().getStaticLoopRanges())) {
    if (label == any) sum *= static_cast<double>(range);
  }
  return sum / (lanes * lanes);
}

// Approximate cycles: the overhead of each tile, its copies, and its multiplications where their
// number depends on the sizes.
double Tiles::cost(TileSizes sizes) const {
  constexpr double of_tile = 400;
  const double lanes = machine_.lanes;
  const auto rows = static_cast<double>(sizes.rows);
  double of_one = of_tile;
  for (const Step& step : chain_.steps()) {
    if (step.kind == Kind::narrow) continue;
    if (step.kind == Kind::wide) of_one += static_cast<double>(sizes.keys) * rows / lanes / 2;
    // A reduction across lanes, or a sum that is rescaled.
    if (step.kind == Kind::sink) of_one += rows;
    for (const auto& [input, labels] : from_outside(step)) {
      if (!comes_by_tiles(labels, sizes)) continue;
      of_one += static_cast<double>(product(shape_of(input, labels, sizes))) / lanes;
    }
    // Weights are pushed even for few rows.
    if (attribute::precision.is_on(step.op)) {
      of_one += static_cast<double>(sizes.keys) * std::max(1.0, 4 * lanes / rows);
      if (past_) of_one += multiplications(step, sizes);
    }
  }
  return static_cast<double>(tiles_of_keys(sizes)) * of_one;
}

namespace {

// Powers of two from the first number on, and the last one.
llvm::SmallVector<std::int64_t> powers(std::int64_t first, std::int64_t last) {
  llvm::SmallVector<std::int64_t> numbers;
  for (std::int64_t n = first; n < last; n *= 2) numbers.push_back(n);
  numbers.push_back(last);
  return numbers;
}

}  // namespace

// A tile's copies have a twin, for the next tile (double_buffer.cpp).
std::int64_t Tiles::twin_words(TileSizes sizes) const {
  std::int64_t sum = 0;
  for (const Step& step : chain_.steps()) {
    for (const auto& [input, labels] : from_outside(step)) {
      if (comes_by_tiles(labels, sizes)) sum += words_of(input, labels, sizes);
    }
  }
  return sum;
}

llvm::SmallVector<std::int64_t> Tiles::keys_that_fit(TileSizes sizes) const {
  llvm::SmallVector<std::int64_t> fitting;
  llvm::SmallVector<std::int64_t> with_twins;
  for (const std::int64_t n : powers(machine_.lanes, whole_.keys)) {
    const TileSizes tile{sizes.rows, n, sizes.holds};
    if (words(tile) > resident_words(machine_)) continue;
    fitting.push_back(n);
    if (words(tile) + twin_words(tile) <= std::int64_t{machine_.vmem_words()}) {
      with_twins.push_back(n);
    }
  }
  return with_twins.empty() ? fitting : with_twins;
}

llvm::SmallVector<std::int64_t> Tiles::rows_that_fit(bool holds) const {
  llvm::SmallVector<std::int64_t> fitting;
  for (const std::int64_t n : powers(sublanes, whole_.rows)) {
    if (!keys_that_fit({n, 0, holds}).empty()) fitting.push_back(n);
  }
  return fitting;
}

TileSizes Tiles::best_sizes(bool holds, llvm::ArrayRef<std::int64_t> rows) const {
  TileSizes best;
  double least = std::numeric_limits<double>::infinity();
  for (const std::int64_t n : rows) {
    for (const std::int64_t k : keys_that_fit({n, 0, holds})) {
      const TileSizes sizes{n, k, holds};
      if (cost(sizes) >= least) continue;
      least = cost(sizes);
      best = sizes;
    }
  }
  return best;
}

TileSizes Tiles::sizes() const {
  // Fewer copies are worth some more tiles.
  constexpr std::int64_t enough_rows = 64;
  mlir::Operation* const at = chain_.steps().back().op;
  const auto held = rows_that_fit(true);
  const auto streamed = rows_that_fit(false);
  if (streamed.empty()) return {};
  const bool by_model = !held.empty() && (held.back() >= enough_rows || held.back() == whole_.rows);
  llvm::SmallVector<std::int64_t> ways{0};
  if (!held.empty()) ways.push_back(1);
  const bool holds = choose(at, DecisionName::online_hold, by_model ? 1 : 0, ways) != 0;
  const auto& rows = holds ? held : streamed;
  TileSizes best = best_sizes(holds, rows);
  best.rows = choose(at, DecisionName::online_rows, best.rows, rows);
  best = best_sizes(holds, best.rows);
  best.keys = choose(at, DecisionName::online_keys, best.keys, keys_that_fit(best));
  return best;
}

}  // namespace tandem::compiler::online
