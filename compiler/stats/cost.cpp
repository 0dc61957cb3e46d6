#include "compiler/stats/cost.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "compiler/contract/attributes.hpp"
#include "compiler/stats/stretch.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/start_copies.hpp"
#include "isa/timing.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

namespace scf = mlir::scf;

constexpr double memory_latency = 40;        // of the default memory, to the first beat
constexpr double branch_cycles = 2;          // the branch itself and the bubble after it
constexpr double start_cycles = 60;          // the first line of code, and addresses of tensors
constexpr double cycles_of_descriptor = 10;  // to make it by stores
constexpr double most_made = 6;              // larger ones are made by a copy

double turns_of_length(std::int64_t length, std::int64_t step) {
  return static_cast<double>(std::max<std::int64_t>(0, (length + step - 1) / step));
}

// The mean number of iterations of a loop from zero that ends at a number, or at a distance after
// the index of a loop around it, whichever comes first: the tiles that a causal mask leaves.
std::optional<double> mean_turns(mlir::Value end, std::int64_t step) {
  auto least = end.getDefiningOp<mlir::arith::MinSIOp>();
  auto sum = least ? least.getLhs().getDefiningOp<mlir::arith::AddIOp>() : nullptr;
  const auto index = sum ? mlir::dyn_cast<mlir::BlockArgument>(sum.getLhs()) : nullptr;
  auto around = index ? mlir::dyn_cast<scf::ForOp>(index.getOwner()->getParentOp()) : nullptr;
  if (!around || index != around.getInductionVar()) return std::nullopt;
  const auto number = [](mlir::Value value) { return mlir::getConstantIntValue(value); };
  const auto most = number(least.getRhs());
  const auto way = number(sum.getRhs());
  const auto first = number(around.getLowerBound());
  const auto last = number(around.getUpperBound());
  const auto stride = number(around.getStep());
  if (!most || !way || !first || !last || !stride || *stride <= 0 || *first >= *last) {
    return std::nullopt;
  }
  double turns = 0;
  double times = 0;
  for (std::int64_t at = *first; at < *last; at += *stride) {
    turns += turns_of_length(std::min(at + *way, *most), step);
    ++times;
  }
  return turns / times;
}

// The iterations of a loop, if known from the text: both ends are known, or the end is a known
// distance after the beginning.
std::optional<double> turns_of(scf::ForOp loop) {
  const auto step = mlir::getConstantIntValue(loop.getStep());
  if (!step || *step <= 0) return std::nullopt;
  std::optional<std::int64_t> length;
  const auto first = mlir::getConstantIntValue(loop.getLowerBound());
  const auto last = mlir::getConstantIntValue(loop.getUpperBound());
  if (first == 0 && !last) {
    if (const auto mean = mean_turns(loop.getUpperBound(), *step)) return mean;
  }
  if (first && last) length = *last - *first;
  auto sum = loop.getUpperBound().getDefiningOp<mlir::arith::AddIOp>();
  if (!length && sum && sum.getLhs() == loop.getLowerBound()) {
    length = mlir::getConstantIntValue(sum.getRhs());
  }
  if (!length) return std::nullopt;
  return turns_of_length(*length, *step);
}

// Goes through the program with a clock. Loops run a few iterations, and the last of them
// represents the rest.
class Clock {
 public:
  Clock(const Parameters& machine, double turns) : machine_(machine), turns_(turns) {}

  void begin(mlir::Operation* function);
  void block(mlir::Block& block);
  ProgramCost take() { return std::move(program_); }

 private:
  void operation(mlir::Operation& op, Stretch& stretch);
  void flush(Stretch& stretch);
  void start(mlir::Operation& copy);
  void wait(mlir::Operation& op);
  void set(mlir::Operation& op);
  void loop(scf::ForOp loop);
  bool pipelined(scf::ForOp loop, double turns);
  double copies_beside(scf::ForOp loop, double turns);
  void repeat(double turns, llvm::function_ref<void()> body);
  Cost& cost_at(mlir::Location loc) {
    const auto region = region_of(loc);
    return region ? program_.regions[*region] : program_.rest;
  }

  const Parameters& machine_;
  double turns_;
  double now_ = 0;
  double reader_free_ = 0;  // the memory's sides
  double writer_free_ = 0;
  std::map<unsigned, llvm::SmallVector<double>> arrivals_;  // of each flag, since it was set
  std::map<unsigned, std::int64_t> flags_;                  // their values
  ProgramCost program_;
};

// The time before the first instruction of the level, for code that is not part of it.
void Clock::begin(mlir::Operation* function) {
  std::set<std::vector<std::int32_t>> descriptors;
  function->walk([&](mlir::Operation* op) {
    if (is_at_start(op)) return;
    if (const auto words = op->getAttrOfType<mlir::DenseI32ArrayAttr>("descriptor")) {
      descriptors.insert(words.asArrayRef().vec());
    }
  });
  const auto count = static_cast<double>(descriptors.size());
  // Otherwise a copy of sixteen words each.
  const double made = count <= most_made
                          ? count * cycles_of_descriptor
                          : memory_latency + timing::copy_start +
                                std::ceil(count * descriptor_words * 4 / machine_.beat_bytes());
  program_.rest.cycles += start_cycles + made;
  now_ += start_cycles + made;
}

void Clock::flush(Stretch& stretch) {
  if (!stretch.empty()) {
    const double cycles = std::max(stretch.busiest(), stretch.once());
    stretch.hand_out(cycles, 1, program_);
    now_ += cycles;
  }
  stretch = Stretch(machine_);
}

void Clock::start(mlir::Operation& copy) {
  const CopyTime time = copy_time(&copy, machine_);
  double& free = time.hbm_out > 0 ? writer_free_ : reader_free_;
  const double latency = time.hbm_in > 0 || time.hbm_out > 0 ? memory_latency : 0;
  const double begin = std::max(is_at_start(&copy) ? 0 : now_ + timing::copy_start, free);
  free = begin + time.cycles;
  arrivals_[time.flag].push_back(begin + latency + time.cycles);
  Cost& cost = cost_at(copy.getLoc());
  cost.hbm_in += time.hbm_in;
  cost.hbm_out += time.hbm_out;
  cost.busy[static_cast<std::size_t>(Bound::memory)] += time.cycles;
}

void Clock::wait(mlir::Operation& op) {
  if (!op.hasAttr("n")) return;  // for copies of earlier iterations
  const auto flag = static_cast<unsigned>(op.getAttrOfType<mlir::IntegerAttr>("flag").getInt());
  const auto wanted = op.getAttrOfType<mlir::IntegerAttr>("n").getInt() - flags_[flag];
  const auto& arrivals = arrivals_[flag];
  if (wanted <= 0 || arrivals.empty()) return;
  const auto last = std::min<std::size_t>(static_cast<std::size_t>(wanted), arrivals.size()) - 1;
  const double waits = std::max(0.0, arrivals[last] - now_);
  Cost& cost = cost_at(op.getLoc());
  cost.cycles += waits;
  cost.waits += waits;
  now_ += waits;
}

void Clock::set(mlir::Operation& op) {
  const auto flag = static_cast<unsigned>(op.getAttrOfType<mlir::IntegerAttr>("flag").getInt());
  flags_[flag] = op.getAttrOfType<mlir::IntegerAttr>("n").getInt();
  arrivals_[flag].clear();
}

// The cycles of a loop's copies that overlap with its iterations, in the direction that takes
// longer; their bytes are noted.
double Clock::copies_beside(scf::ForOp loop, double turns) {
  double in = 0;
  double out = 0;
  loop.walk([&](mlir::Operation* op) {
    if (!is_named(op, "copy")) return;
    const CopyTime time = copy_time(op, machine_);
    (time.hbm_out > 0 ? out : in) += time.cycles;
    Cost& cost = cost_at(op->getLoc());
    cost.hbm_in += time.hbm_in * turns;
    cost.hbm_out += time.hbm_out * turns;
    cost.busy[static_cast<std::size_t>(Bound::memory)] += time.cycles * turns;
  });
  return std::max(in, out);
}

// A body without control, copies and waits is a pipeline, or one whose copies are for other
// iterations: its interval is the time of the busiest unit, or of the values that one iteration
// hands to the next.
bool Clock::pipelined(scf::ForOp loop, double turns) {
  const bool streams = attribute::copies_apart.is_on(loop);
  Stretch stretch(machine_);
  for (mlir::Operation& op : loop.getBody()->without_terminator()) {
    if (streams && (mlir::isa<scf::IfOp>(op) || is_named(&op, "wait"))) continue;
    if (op.getNumRegions() != 0 || is_named(&op, "copy") || is_named(&op, "wait") ||
        is_named(&op, "fset")) {
      return false;
    }
    stretch.add(&op);
  }
  double round = branch_cycles;
  for (const mlir::Value value : loop.getYieldedValues()) {
    // Chains that begin at values from the iteration before, not at loads.
    llvm::SmallDenseMap<mlir::Value, double> known;
    std::function<double(mlir::Value)> length = [&](mlir::Value at) -> double {
      if (mlir::isa<mlir::BlockArgument>(at)) {
        return at.getParentBlock() == loop.getBody() && at != loop.getInductionVar() ? 0 : -1e9;
      }
      if (at.getDefiningOp()->getBlock() != loop.getBody()) return -1e9;
      if (const auto found = known.find(at); found != known.end()) return found->second;
      double longest = -1e9;
      for (const mlir::Value operand : at.getDefiningOp()->getOperands()) {
        longest = std::max(longest, length(operand));
      }
      return known[at] = longest + unit_time(at.getDefiningOp(), machine_).latency;
    };
    round = std::max(round, length(value));
  }
  if (streams) round = std::max(round, copies_beside(loop, turns));
  const double interval = std::ceil(std::max(stretch.busiest(), round));
  const double once = std::max(stretch.once(), interval);
  const double cycles = turns <= 0 ? 0 : (turns - 1) * interval + once;
  stretch.hand_out(cycles, turns, program_);
  now_ += cycles;
  return true;
}

void Clock::repeat(double turns, llvm::function_ref<void()> body) {
  constexpr double few = 3;
  double before = now_;
  ProgramCost earlier = program_;
  const auto done = static_cast<int>(std::ceil(std::min(turns, few)));
  for (int turn = 0; turn < done; ++turn) {
    before = now_;
    earlier = program_;
    body();
    now_ += branch_cycles;
  }
  const double rest = turns - few;
  if (rest <= 0) return;
  const double moved = (now_ - before) * rest;
  const auto extend = [&](Cost& cost, const Cost& was) {
    Cost turn = cost;
    turn.add_work(was, -1);
    turn.cycles -= was.cycles;
    turn.waits -= was.waits;
    cost.add_work(turn, rest);
    cost.cycles += turn.cycles * rest;
    cost.waits += turn.waits * rest;
  };
  for (auto& [number, cost] : program_.regions) extend(cost, earlier.regions[number]);
  extend(program_.rest, earlier.rest);
  now_ += moved;
  reader_free_ += moved;
  writer_free_ += moved;
  for (auto& [flag, arrivals] : arrivals_) {
    for (double& arrival : arrivals) arrival += moved;
  }
}

void Clock::loop(scf::ForOp loop) {
  const auto known = turns_of(loop);
  if (!known) ++program_.unknown_loops;
  const double turns = known.value_or(turns_);
  if (pipelined(loop, turns)) return;
  repeat(turns, [&] { block(*loop.getBody()); });
}

void Clock::operation(mlir::Operation& op, Stretch& stretch) {
  if (auto inner = mlir::dyn_cast<scf::ForOp>(op)) {
    flush(stretch);
    loop(inner);
  } else if (auto loop = mlir::dyn_cast<scf::WhileOp>(op)) {
    flush(stretch);
    ++program_.unknown_loops;
    repeat(turns_, [&] {
      block(*loop.getBeforeBody());
      block(*loop.getAfterBody());
    });
  } else if (op.getNumRegions() != 0) {
    // Of branches the first, which is the taken one if there is only one.
    flush(stretch);
    if (!op.getRegion(0).empty()) block(op.getRegion(0).front());
  } else if (is_named(&op, "copy")) {
    // A bundle issues it, or the host; it runs in parallel.
    const double bundle = is_at_start(&op) ? 0 : 1;
    now_ += bundle;
    cost_at(op.getLoc()).cycles += bundle;
    start(op);
  } else if (is_named(&op, "wait")) {
    flush(stretch);
    wait(op);
  } else if (is_named(&op, "fset")) {
    set(op);
  } else {
    stretch.add(&op);
  }
}

void Clock::block(mlir::Block& block) {
  Stretch stretch(machine_);
  for (mlir::Operation& op : block.without_terminator()) operation(op, stretch);
  flush(stretch);
}

}  // namespace

double Cost::roof() const { return std::max(pushes, *std::max_element(busy.begin(), busy.end())); }

Bound Cost::bound() const {
  std::size_t most = 0;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    if (busy[i] > busy[most]) most = i;
  }
  if (pushes > busy[most]) most = static_cast<std::size_t>(Bound::mxu);
  if (waits > cycles / 2) return Bound::memory;
  // The units work less than half of the time: the region waits for results.
  return roof() < cycles / 2 ? Bound::latency : static_cast<Bound>(most);
}

void Cost::add_work(const Cost& other, double times) {
  for (std::size_t i = 0; i < busy.size(); ++i) busy[i] += other.busy[i] * times;
  pushes += other.pushes * times;
  hbm_in += other.hbm_in * times;
  hbm_out += other.hbm_out * times;
  vmem += other.vmem * times;
}

double ProgramCost::cycles() const {
  double sum = rest.cycles;
  for (const auto& [number, cost] : regions) sum += cost.cycles;
  return sum;
}

ProgramCost cost_of(mlir::ModuleOp module, const Parameters& machine, double turns) {
  Clock clock(machine, turns);
  if (auto function = module.lookupSymbol<mlir::func::FuncOp>("main")) {
    clock.begin(function);
    clock.block(function.getBody().front());
  }
  return clock.take();
}

}  // namespace tandem::compiler
