#include "compiler/tiled/arrivals.hpp"

#include <map>
#include <numeric>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/products.hpp"
#include "isa/analysis/unit_time.hpp"
#include "isa/timing.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr std::int64_t start_of_copy = 4;  // cycles, at least
constexpr std::int64_t cost_of_wait = 2;
constexpr std::int64_t cost_of_late = 20;  // of a wait when results of other tiles are read
constexpr std::int64_t least_gain = 8;
constexpr std::int64_t words_of_part = 96;  // of text, about
constexpr std::int64_t least_beats = 8;     // of a part

std::int64_t rounded(std::int64_t number, std::int64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

// Eight rows of an arrival per row of VMEM.
using Cell = std::pair<std::size_t, std::int64_t>;  // arrival, number in it

// The unit's work for some cycles, and the cells that it needs for it.
struct Step {
  bool pushes = false;
  std::int64_t cycles = 0;
  std::int64_t after_release = 0;  // cycles from the swap that released its buffer to a push
  llvm::SmallVector<Cell> cells;
};

// One operand of a contraction: rank 4, half by chunk by row by column.
struct View {
  std::optional<std::size_t> arrival;
  std::int64_t offset = 0;
  Sizes strides;
};

// All that contractions do, in order.
class Work {
 public:
  Work(llvm::ArrayRef<Arrival> arrivals, const Parameters& machine)
      : arrivals_(arrivals), lanes_(machine.lanes) {}

  void add(LinalgOp op, bool chunks_first) {
    ranges_ = op.getStaticLoopRanges();
    left_ = view_of(op.getDpsInputs()[0]);
    right_ = view_of(op.getDpsInputs()[1]);
    by_columns_ = attribute::by_columns.is_on(op);
    passes_ = static_cast<std::int64_t>(passes_of(op).size());
    const std::int64_t tiles = (ranges_[1] + lanes_ - 1) / lanes_;
    const std::int64_t steps = ranges_[2] * ranges_[3];
    for (std::int64_t i = 0; i < tiles * steps; ++i) {
      const std::int64_t tile = chunks_first ? i % tiles : i / steps;
      const std::int64_t step = chunks_first ? i / tiles : i % steps;
      // The halves of a chunk are consecutive.
      add_step(tile, step % ranges_[2], step / ranges_[2]);
      if (first_tile_ == 0 && i + 1 == (chunks_first ? tiles * steps : steps)) {
        first_tile_ = steps_.size();
      }
    }
  }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  // The number of steps before any result is read.
  [[nodiscard]] std::size_t first_tile() const { return first_tile_; }

 private:
  [[nodiscard]] View view_of(Value operand) const {
    View view;
    (void)mlir::cast<mlir::MemRefType>(operand.getType())
        .getStridesAndOffset(view.strides, view.offset);
    for (const auto [index, arrival] : llvm::enumerate(arrivals_)) {
      if (arrival.buffer == buffer_behind(operand)) view.arrival = index;
    }
    return view;
  }
  void need(Step& step, const View& view, std::int64_t word) const {
    if (!view.arrival) return;
    const Arrival& arrival = arrivals_[*view.arrival];
    word += view.offset;
    const std::int64_t row = word / arrival.target_stride;
    const std::int64_t chunk = word % arrival.target_stride / lanes_;
    if (word < 0 || row >= arrival.rows || chunk * lanes_ >= arrival.columns) return;
    const std::int64_t chunks = (arrival.columns + lanes_ - 1) / lanes_;
    step.cells.push_back({*view.arrival, row / sublanes * chunks + chunk});
  }
  void add_step(std::int64_t tile, std::int64_t half, std::int64_t chunk) {
    const auto start = [&](const View& view) {
      return half * view.strides[0] + chunk * view.strides[1];
    };
    const std::int64_t first = start(right_);
    const std::int64_t columns = std::min(lanes_, ranges_[1] - tile * lanes_);
    const std::int64_t count = by_columns_ ? columns : ranges_[4];
    for (std::int64_t row = 0; row < count; row += sublanes) {
      const std::int64_t column = tile * lanes_ + (by_columns_ ? row : 0);
      const std::int64_t after_release = push_after_release(
          by_columns_, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(lanes_));
      Step push{true, timing::push * passes_, after_release, {}};
      need(push, right_,
           first + (by_columns_ ? 0 : row * right_.strides[2]) + column * right_.strides[3]);
      steps_.push_back(push);
    }
    for (std::int64_t row = 0; row < ranges_[0]; row += sublanes) {
      Step multiply{false, std::min<std::int64_t>(sublanes, ranges_[0] - row) * passes_, 0, {}};
      need(multiply, left_, start(left_) + row * left_.strides[2]);
      steps_.push_back(multiply);
    }
  }

  llvm::ArrayRef<Arrival> arrivals_;
  std::int64_t lanes_;
  llvm::SmallVector<std::int64_t> ranges_;  // rows, columns, halves, chunks, depth
  View left_;
  View right_;
  bool by_columns_ = false;
  std::int64_t passes_ = 1;
  std::vector<Step> steps_;
  std::size_t first_tile_ = 0;
};

class Planner {
 public:
  Planner(llvm::ArrayRef<Arrival> arrivals, const Parameters& machine)
      : arrivals_(arrivals), lanes_(machine.lanes) {}

  using Cuts = std::vector<llvm::SmallVector<ArrivalPart>>;

  // The ways to cut one of them, starting with the whole.
  [[nodiscard]] Cuts cuts(std::size_t number, std::int64_t most) const {
    Cuts result;
    const Arrival& arrival = arrivals_[number];
    for (std::int64_t across = 1; across <= most; ++across) {
      for (std::int64_t along = 1; along * across <= most; ++along) {
        auto parts = grid(number, rounded((arrival.rows + along - 1) / along, sublanes),
                          rounded((arrival.columns + across - 1) / across, lanes_));
        const bool is_new = result.empty() || parts.size() > 1;
        const bool is_large = llvm::all_of(parts, [&](const ArrivalPart& part) {
          return parts.size() == 1 || beats(part) >= least_beats || part.row != 0 ||
                 part.column != 0;
        });
        if (is_new && is_large) result.push_back(std::move(parts));
      }
    }
    return result;
  }

  // Puts the parts in the order in which the steps need them. Returns how many are needed late.
  std::int64_t put_in_order(llvm::SmallVector<ArrivalPart>& parts, const Work& work) const {
    std::map<Cell, std::size_t> first;
    std::size_t number = 0;
    for (const Step& step : work.steps()) {
      for (const Cell& cell : step.cells) first.insert({cell, number});
      ++number;
    }
    const auto needed = [&](const ArrivalPart& part) {
      std::size_t least = number;
      for_each_cell(part, [&](const Cell& cell) {
        const auto found = first.find(cell);
        if (found != first.end()) least = std::min(least, found->second);
      });
      return least;
    };
    llvm::stable_sort(
        parts, [&](const ArrivalPart& a, const ArrivalPart& b) { return needed(a) < needed(b); });
    return llvm::count_if(
        parts, [&](const ArrivalPart& part) { return needed(part) >= work.first_tile(); });
  }

  // When all steps are done, if parts arrive in this order.
  [[nodiscard]] std::int64_t cycles(llvm::ArrayRef<ArrivalPart> parts,
                                    const std::vector<Step>& steps) const {
    std::map<Cell, std::int64_t> there;
    std::int64_t now = 0;
    for (const ArrivalPart& part : parts) {
      now += std::max(start_of_copy, beats(part));
      for_each_cell(part, [&](const Cell& cell) { there[cell] = now; });
    }
    std::int64_t pushes = 0;  // when the port is free
    std::int64_t pushed = 0;  // when the set is there
    std::int64_t done = 0;
    SwapHistory<std::int64_t> swapped;
    bool swaps = false;
    for (const Step& step : steps) {
      std::int64_t ready = 0;
      for (const Cell& cell : step.cells) {
        const auto found = there.find(cell);
        if (found != there.end()) ready = std::max(ready, found->second);
      }
      if (step.pushes) {
        // A swap releases the rows of a buffer one after the other.
        if (swapped.releasing()) ready = std::max(ready, *swapped.releasing() + step.after_release);
        pushes = pushed = std::max(pushes, ready) + step.cycles;
        swaps = true;
      } else {
        const std::int64_t begin = std::max({done, ready, swaps ? pushed : 0});
        if (swaps) swapped.add(begin);
        swaps = false;
        done = begin + step.cycles;
      }
    }
    return done;
  }

 private:
  [[nodiscard]] std::int64_t chunks(std::int64_t words) const {
    return (words + lanes_ - 1) / lanes_;
  }

  // The beats that it writes or those that it reads, whichever are more: reads are, where rows
  // begin anywhere in a beat of HBM.
  [[nodiscard]] std::int64_t beats(const ArrivalPart& part) const {
    const std::int64_t apart = std::gcd(arrivals_[part.arrival].source_stride, lanes_);
    const std::int64_t words = part.columns + std::max<std::int64_t>(lanes_ - apart, 0);
    return part.rows * std::max(chunks(part.columns) * lanes_, words) / lanes_;
  }

  template <typename Act>
  void for_each_cell(const ArrivalPart& part, Act act) const {
    const std::int64_t across = chunks(arrivals_[part.arrival].columns);
    for (std::int64_t row = part.row; row < part.row + part.rows; row += sublanes) {
      for (std::int64_t column = part.column; column < part.column + part.columns;
           column += lanes_) {
        act(Cell{part.arrival, row / sublanes * across + column / lanes_});
      }
    }
  }

  [[nodiscard]] llvm::SmallVector<ArrivalPart> grid(std::size_t number, std::int64_t rows,
                                                    std::int64_t columns) const {
    llvm::SmallVector<ArrivalPart> parts;
    const Arrival& arrival = arrivals_[number];
    for (std::int64_t column = 0; column < arrival.columns; column += columns) {
      for (std::int64_t row = 0; row < arrival.rows; row += rows) {
        parts.push_back({number, row, std::min(rows, arrival.rows - row), column,
                         std::min(columns, arrival.columns - column)});
      }
    }
    return parts;
  }

  llvm::ArrayRef<Arrival> arrivals_;
  std::int64_t lanes_;
};

// Pushes and multiplies of eight rows.
std::int64_t steps_of(LinalgOp op, std::int64_t lanes) {
  const auto ranges = op.getStaticLoopRanges();
  const std::int64_t tiles = (ranges[1] + lanes - 1) / lanes;
  return tiles * ranges[2] * ranges[3] * ((ranges[0] + lanes) / sublanes + 1);
}

// The cost of all results being ready only at the end: they are then read and copied out with
// nothing to overlap with.
std::int64_t cost_of_late_results(LinalgOp op, std::int64_t lanes) {
  const auto ranges = op.getStaticLoopRanges();
  const std::int64_t tiles = (ranges[1] + lanes - 1) / lanes;
  mlir::Operation* next = op->getNextNode();
  while (next != nullptr && is_free(next)) next = next->getNextNode();
  const bool leaves = mlir::isa_and_nonnull<mlir::memref::CopyOp>(next);
  return ranges[0] * (tiles - 1) / (leaves ? 1 : sublanes);
}

}  // namespace

std::optional<Arrival> arrival_of(mlir::memref::CopyOp copy, const Parameters& machine) {
  const auto from = mlir::cast<mlir::MemRefType>(copy.getSource().getType());
  const auto to = mlir::cast<mlir::MemRefType>(copy.getTarget().getType());
  Sizes source;
  Sizes target;
  std::int64_t offset = 0;
  if (from.getRank() < 2 || !from.hasStaticShape() || from.getElementTypeBitWidth() != 32 ||
      from.getNumElements() == 0 || mlir::failed(from.getStridesAndOffset(source, offset)) ||
      mlir::failed(to.getStridesAndOffset(target, offset)) || offset != 0 ||
      llvm::any_of(source, mlir::ShapedType::isDynamic) ||
      llvm::any_of(target, mlir::ShapedType::isDynamic)) {
    return std::nullopt;
  }
  Arrival arrival{copy, buffer_behind(copy.getTarget())};
  arrival.columns = from.getShape().back();
  arrival.rows = 1;
  for (std::size_t i = source.size() - 1; i-- > 0;) {
    const std::int64_t size = from.getDimSize(static_cast<unsigned>(i));
    if (size == 1) continue;
    if (arrival.rows == 1) {
      arrival.source_stride = source[i];
      arrival.target_stride = target[i];
    } else if (source[i] != arrival.rows * arrival.source_stride ||
               target[i] != arrival.rows * arrival.target_stride) {
      return std::nullopt;
    }
    arrival.rows *= size;
  }
  const std::int64_t stride = arrival.target_stride;
  const bool has_rows = source.back() == 1 && target.back() == 1 && arrival.source_stride > 0 &&
                        stride % machine.lanes == 0 && stride >= arrival.columns && stride > 0;
  if (!has_rows) return std::nullopt;
  return arrival;
}

ArrivalPlan plan_arrivals(llvm::ArrayRef<LinalgOp> contractions, llvm::ArrayRef<Arrival> arrivals,
                          std::int64_t most_parts, const Parameters& machine) {
  const Planner planner(arrivals, machine);
  ArrivalPlan best;
  std::int64_t steps = 0;
  for (const LinalgOp op : contractions) steps += steps_of(op, machine.lanes);
  if (threshold::planned_steps(steps)) return best;
  std::int64_t whole = -1;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const std::int64_t lanes = machine.lanes;
  LinalgOp first = contractions.front();
  const auto ranges = first.getStaticLoopRanges();
  const bool may_choose =
      contractions.size() == 1 && ranges[2] == 1 && ranges[3] > 1 && ranges[1] > lanes &&
      passes_of(first).size() == 1 &&
      (ranges[0] + sublanes - 1) / sublanes * ((ranges[1] + lanes - 1) / lanes) <= accumulators;
  const std::int64_t each = most_parts - static_cast<std::int64_t>(arrivals.size()) + 1;
  const auto cuts_of_first = planner.cuts(0, each);
  const auto cuts_of_second = arrivals.size() > 1 ? planner.cuts(1, each) : Planner::Cuts(1);
  for (const bool chunks_first : {false, true}) {
    if (chunks_first && !may_choose) break;
    Work work(arrivals, machine);
    for (const LinalgOp op : contractions) work.add(op, chunks_first);
    const auto consider = [&](llvm::SmallVector<ArrivalPart> parts) {
      const std::int64_t late = planner.put_in_order(parts, work);
      std::int64_t cycles = planner.cycles(parts, work.steps());
      cycles += (cost_of_wait + words_of_part / lanes) * static_cast<std::int64_t>(parts.size()) +
                cost_of_late * late;
      if (chunks_first) cycles += cost_of_late_results(first, lanes);
      if (whole < 0) whole = cycles;
      if (cycles >= least) return;
      least = cycles;
      best = {chunks_first, std::move(parts), whole - cycles};
    };
    for (const auto& one : cuts_of_first) {
      for (const auto& other : cuts_of_second) {
        auto parts = one;
        parts.append(other);
        if (std::ssize(parts) > most_parts) continue;
        consider(std::move(parts));
      }
    }
  }
  if (best.gain <= (least_gain + 2 * words_of_part / lanes)) best.gain = 0;
  return best;
}

}  // namespace tandem::compiler
