#include "compiler/stats/useful_work.hpp"

#include <cmath>
#include <optional>

#include "compiler/contract/places.hpp"
#include "compiler/stablehlo/counted_loop.hpp"
#include "compiler/stablehlo/dialect.hpp"
#include "compiler/stablehlo/verify/facts.hpp"
#include "compiler/stats/needed.hpp"
#include "isa/timing.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

namespace json = llvm::json;
using mlir::Operation;
using verify::Facts;
using verify::Numbers;

constexpr double vector_operations = 2.0 * sublanes;                  // a cycle and lane
constexpr double rows_of_unit = double{sublanes} / timing::row_unit;  // a cycle of EUP and XLU

double up(double a, double b) { return std::ceil(a / b); }

double product(llvm::ArrayRef<std::int64_t> extents, llvm::ArrayRef<std::int64_t> chosen) {
  double all = 1;
  for (const std::int64_t dimension : chosen) all *= static_cast<double>(extents[dimension]);
  return all;
}

mlir::RankedTensorType tensor_of(mlir::Type type) {
  return mlir::dyn_cast<mlir::RankedTensorType>(type);
}

double elements(mlir::Type type) {
  const auto tensor = tensor_of(type);
  return tensor && tensor.hasStaticShape() ? static_cast<double>(tensor.getNumElements()) : 0;
}

double bytes(mlir::Type type) {
  const auto tensor = tensor_of(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat()) return 0;
  return elements(type) * std::max(1U, tensor.getElementTypeBitWidth() / 8);
}

bool is_real(Operation* op) {
  const auto tensor = op->getNumResults() == 0 ? nullptr : tensor_of(op->getResult(0).getType());
  return tensor && mlir::isa<mlir::FloatType>(tensor.getElementType());
}

// How often the EUP is asked for an element of the result; 0 for operations that it has no part in.
int transcendentals(llvm::StringRef name) {
  return llvm::StringSwitch<int>(name)
      .Cases({"exponential", "exponential_minus_one", "log", "log_plus_one", "tanh", "rsqrt",
              "sqrt", "cbrt"},
             1)
      .Cases({"logistic", "power"}, 2)
      .Default(0);
}

// Moves, which take memory at most, and what is no work at all.
bool is_move(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"constant", "iota", "broadcast_in_dim", "transpose", "reverse", "reshape", "slice",
              "pad", "concatenate"},
             true)
      .Cases({"dynamic_slice", "dynamic_update_slice", "gather", "bitcast_convert", "convert",
              "select", "return", "optimization_barrier"},
             true)
      .Cases({"create_token", "after_all"}, true)
      .Default(false);
}

// Passes of the matrix unit over bf16 parts, as many as the asked precision takes.
double passes(Operation* op) {
  const auto asked = op->getAttrOfType<mlir::ArrayAttr>("precision_config");
  int parts = 1;
  if (asked) {
    for (const auto entry : asked.getAsRange<mlir::StringAttr>()) {
      parts = std::max(parts, entry.getValue() == "HIGHEST" ? 3
                              : entry.getValue() == "HIGH"  ? 2
                                                            : 1);
    }
  }
  int wide = 0;  // operands with more than bf16 holds
  for (const mlir::Value operand : op->getOperands()) {
    wide += tensor_of(operand.getType()).getElementType().isF32() ? 1 : 0;
  }
  if (wide == 2) return parts == 3 ? 6 : parts == 2 ? 3 : 1;
  return wide == 1 ? parts : 1;
}

// The number, or smaller tensor, of which an operand is copies.
mlir::Value repeated(mlir::Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!is_stablehlo(op, "broadcast_in_dim") && !is_stablehlo(op, "reshape")) break;
    value = op->getOperand(0);
  }
  return value;
}

class Counter {
 public:
  Counter(const Parameters& machine, const Needed& needed, double turns, ProgramWork& program)
      : lanes_(machine.lanes), needed_(needed), turns_(turns), program_(program) {}

  void block(mlir::Block& block, double times) {
    for (Operation& op : block) {
      if (needed_.contains(&op)) operation(&op, times);
    }
  }

 private:
  void operation(Operation* op, double times) {
    llvm::StringRef name = op->getName().getStringRef();
    if (!name.consume_front("stablehlo.")) {
      program_.unknown_calls += op->getName().getStringRef() == "func.call" ? 1 : 0;
      return;
    }
    if (name == "while") return block(op->getRegion(1).front(), times * iterations(op));
    if (name == "case" || name == "if") return choice(op, times);
    if (name == "custom_call") {
      ++program_.unknown_calls;
      return;
    }
    work_ = {};
    work_of(op, name);
    program_.whole.add(work_, times);
    program_.lines[place_text(op->getLoc())].add(work_, times);
    program_.sources[source_key(op->getLoc())].add(work_, times);
  }

  void work_of(Operation* op, llvm::StringRef name) {
    if (name == "dot_general") return dot_general(op);
    if (name == "convolution") return convolution(op);
    if (name == "reduce") return reduction(op);
    if (name == "sort") return sort(op);
    if (name == "scatter") return vector(op->getOperands().back());
    // At least one operation an element; a running sum is a window as well.
    if (name == "reduce_window" || name == "select_and_scatter") return vector(op->getOperand(0));
    if (name == "divide" && is_real(op)) return division(op);
    if (is_move(name) || op->getNumResults() == 0) return;
    const double made = elements(op->getResult(0).getType());
    const int asked = is_real(op) ? transcendentals(name) : 0;
    if (asked > 0) return transcendental(asked * made);
    add(Bound::vector, made / (vector_operations * lanes_));
  }

  void add(Bound unit, double cycles) { work_.busy[static_cast<std::size_t>(unit)] += cycles; }
  void vector(mlir::Value value, double each = 1) {
    add(Bound::vector, each * elements(value.getType()) / (vector_operations * lanes_));
  }

  void transcendental(double operations) { add(Bound::eup, operations / (rows_of_unit * lanes_)); }

  // One reciprocal for each divisor; none for a constant, whose reciprocal is one as well.
  void division(Operation* op) {
    const mlir::Value divisor = repeated(op->getOperand(1));
    if (!is_stablehlo(divisor.getDefiningOp(), "constant"))
      transcendental(elements(divisor.getType()));
    if (divisor != op->getOperand(1)) vector(op->getResult(0));
  }

  // `groups` products [m, k] x [k, n]: on the matrix unit, or elementwise where that is less.
  void products(Operation* op, double groups, double m, double n, double k) {
    const double rows =
        groups * up(k, lanes_) * std::min(m * up(n, lanes_), n * up(m, lanes_)) * passes(op);
    const double apart = 2 * groups * m * n * k / (vector_operations * lanes_);
    if (apart < rows) return add(Bound::vector, apart);
    add(Bound::mxu, rows);
  }

  void dot_general(Operation* op) {
    Facts facts(op);
    const auto left = facts.operand(0);
    const double groups = product(left, facts.numbers("lhs_batching_dimensions"));
    const double k = product(left, facts.numbers("lhs_contracting_dimensions"));
    if (groups * k == 0) return;
    products(op, groups, elements(op->getOperand(0).getType()) / (groups * k),
             elements(op->getOperand(1).getType()) / (groups * k), k);
  }

  void convolution(Operation* op) {
    Facts facts(op);
    const auto window = facts.operand(1);
    const double groups = static_cast<double>(facts.number("feature_group_count", 1) *
                                              facts.number("batch_group_count", 1));
    const auto in = static_cast<double>(window[facts.number("kernel_input_feature_dimension", 0)]);
    const double out =
        static_cast<double>(window[facts.number("kernel_output_feature_dimension", 0)]) / groups;
    double taps = product(window, facts.numbers("kernel_spatial_dimensions"));
    for (const std::int64_t apart : facts.numbers("lhs_dilation"))
      taps /= static_cast<double>(apart);
    const double positions = elements(op->getResult(0).getType()) / (out * groups);
    products(op, groups, positions, out, std::max(1.0, std::ceil(taps * in)));
  }

  void reduction(Operation* op) {
    Facts facts(op);
    const Numbers gone = facts.numbers("dimensions");
    const auto last = static_cast<std::int64_t>(facts.operand(0).size()) - 1;
    // Two results: the greatest and where it is.
    vector(op->getOperand(0), op->getNumResults());
    if (llvm::is_contained(gone, last))
      add(Bound::xlu, elements(op->getResult(0).getType()) / rows_of_unit);
  }

  void sort(Operation* op) {
    Facts facts(op);
    const auto extents = facts.operand(0);
    const auto dimension = static_cast<std::size_t>(facts.number("dimension", 0));
    const double depth = std::log2(std::max<double>(2, static_cast<double>(extents[dimension])));
    vector(op->getOperand(0), depth * (depth + 1) / 2);
  }

  // Counts the branch that takes longest.
  void choice(Operation* op, double times) {
    ProgramWork best;
    for (mlir::Region& region : op->getRegions()) {
      ProgramWork made;
      Counter(*this, made).block(region.front(), times);
      program_.unknown_calls += made.unknown_calls;
      program_.unknown_loops += made.unknown_loops;
      if (made.whole.roof() > best.whole.roof()) best = std::move(made);
    }
    program_.whole.add(best.whole, 1);
    for (const auto& [place, work] : best.lines) program_.lines[place].add(work, 1);
    for (const auto& [source, work] : best.sources) program_.sources[source].add(work, 1);
  }

  Counter(const Counter& other, ProgramWork& program)
      : lanes_(other.lanes_), needed_(other.needed_), turns_(other.turns_), program_(program) {}

  // Of a loop whose counter begins at a number, grows by one and is compared with a number.
  double iterations(Operation* loop);

  double lanes_;
  const Needed& needed_;
  double turns_;
  ProgramWork& program_;
  UsefulWork work_;
};

double Counter::iterations(Operation* loop) {
  const auto counted = counted_loop(loop);
  if (!counted) {
    ++program_.unknown_loops;
    return turns_;
  }
  const auto distance = static_cast<double>(counted->end - counted->begin);
  return std::max(0.0, up(distance, static_cast<double>(counted->step)));
}

json::Object work_json(const UsefulWork& work) {
  json::Object busy;
  for (std::size_t i = 0; i < bound_names.size(); ++i) {
    if (work.busy[i] > 0) busy[bound_names[i]] = work.busy[i];
  }
  return json::Object{{"roof", std::llround(std::ceil(work.roof()))},
                      {"bound", bound_names[static_cast<std::size_t>(work.bound())]},
                      {"busy", std::move(busy)}};
}

json::Array places_json(const std::map<std::string, UsefulWork>& places) {
  json::Array rows;
  for (const auto& [place, work] : places) {
    if (place.empty() || work.roof() == 0) continue;
    json::Object row = work_json(work);
    row["place"] = place;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void UsefulWork::add(const UsefulWork& other, double times) {
  for (std::size_t i = 0; i < busy.size(); ++i) busy[i] += other.busy[i] * times;
}

Bound UsefulWork::bound() const {
  return static_cast<Bound>(
      std::distance(busy.begin(), std::max_element(busy.begin(), busy.end())));
}

ProgramWork useful_work_of(mlir::ModuleOp module, const Parameters& machine, double turns) {
  ProgramWork program;
  auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!function || function.isExternal()) return program;
  const Needed needed(function);
  Counter(machine, needed, turns, program).block(function.getBody().front(), 1);
  double in = 0;
  double out = 0;
  for (const mlir::Type type : function.getArgumentTypes()) in += bytes(type);
  for (const mlir::Type type : function.getResultTypes()) out += bytes(type);
  program.whole.busy[static_cast<std::size_t>(Bound::memory)] =
      std::max(in, out) / static_cast<double>(machine.beat_bytes());
  return program;
}

std::string useful_work_json(mlir::ModuleOp module, const Parameters& machine, double turns) {
  const ProgramWork program = useful_work_of(module, machine, turns);
  json::Object all = work_json(program.whole);
  all["unknown_calls"] = program.unknown_calls;
  all["unknown_loops"] = program.unknown_loops;
  all["lines"] = places_json(program.lines);
  all["sources"] = places_json(program.sources);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(all));
  return text;
}

}  // namespace tandem::compiler
