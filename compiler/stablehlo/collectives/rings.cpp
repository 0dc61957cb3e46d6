#include "compiler/stablehlo/collectives/rings.hpp"

#include <algorithm>

#include "compiler/contract/thresholds.hpp"
#include "compiler/functions/ring_text.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;

constexpr std::int64_t most_places = 16;  // the text grows with them

// ---- cycles, of links of the default rate and latency
// ---------------------------------------------

constexpr std::int64_t rate = 8;
constexpr std::int64_t latency = 64;
constexpr std::int64_t straight_cycles = 54;  // of a message, beside the latency
constexpr std::int64_t step_cycles = 37;      // of a step of a ring
constexpr std::int64_t sum_cycles = 60;       // extra for a step that adds
constexpr std::int64_t call_cycles = 200;     // of a direct exchange: signals, and reading its
                                              // table

// All to all, messages of this many words: the link to the right carries those for half the ring,
// each counted once per hop. A message half way round is split over both directions; that is left
// out, as messages for several devices take longer than their beats.
std::int64_t straight(std::int64_t words, const Groups& groups, const Parameters& machine) {
  const std::int64_t hops = groups.size / 2;
  return hops * (hops + 1) / 2 * link_cycles(words, machine) + hops * latency + straight_cycles;
}

std::int64_t round(std::int64_t part, const Groups& groups, const Parameters& machine,
                   std::int64_t more) {
  const std::int64_t hops = groups.size / 2;
  return (groups.size - 1) * link_cycles(part, machine) / 2 + hops * (latency + step_cycles + more);
}

// ---- what can be reduced
// ----------------------------------------------------------------------------

// The computation as one instruction on a vector of words; "" where it is not one operation of two
// words.
std::string combination(Operation* op) {
  mlir::Block& body = op->getRegion(0).front();
  if (body.getOperations().size() != 2 || body.getNumArguments() != 2) return "";
  Operation& only = body.front();
  const mlir::Type type = mlir::getElementTypeOrSelf(body.getArgument(0).getType());
  const bool is_both = only.getNumOperands() == 2 && only.getNumResults() == 1 &&
                       only.getOperand(0) != only.getOperand(1) &&
                       llvm::all_of(only.getOperands(), [&](mlir::Value operand) {
                         return llvm::is_contained(body.getArguments(), operand);
                       });
  if (!is_both || body.back().getNumOperands() != 1 ||
      body.back().getOperand(0) != only.getResult(0)) {
    return "";
  }
  const llvm::StringRef name = only.getName().getStringRef();
  if (type.isF32()) {
    return llvm::StringSwitch<std::string>(name)
        .Case("stablehlo.add", "vadd.f32")
        .Case("stablehlo.maximum", "vmax.f32")
        .Case("stablehlo.minimum", "vmin.f32")
        .Case("stablehlo.multiply", "vmul.f32")
        .Default("");
  }
  if (!type.isInteger(32)) return "";
  const std::string sign = type.isUnsignedInteger() ? "u32" : "s32";
  return llvm::StringSwitch<std::string>(name)
      .Case("stablehlo.add", "vadd.s32")
      .Case("stablehlo.maximum", "vmax." + sign)
      .Case("stablehlo.minimum", "vmin." + sign)
      .Case("stablehlo.and", "vand")
      .Case("stablehlo.or", "vor")
      .Default("");
}

std::int64_t two_vectors(const Parameters& machine) {
  return 2 * std::int64_t{machine.vector_words()};
}

// A quarter of VMEM is for arriving data and the data that it is added to.
std::int64_t block_for(std::int64_t part, const Groups& groups, const Parameters& machine) {
  const std::int64_t most =
      std::int64_t{machine.vmem_words()} / 4 / ring_blocks(static_cast<std::uint32_t>(groups.size));
  return std::min(part, most / two_vectors(machine) * two_vectors(machine));
}

// The elements of 32-bit words that hold one element each.
std::int64_t words_of(mlir::Value value) {
  const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  const mlir::Type element = type.getElementType();
  const bool is_pair = mlir::isa<mlir::ComplexType>(element) ||
                       (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64);
  return type.getNumElements() * (is_pair ? 2 : 1);
}

bool pays(const RingPlan& plan, std::int64_t words, const Groups& groups,
          const Parameters& machine) {
  const std::int64_t part = plan.part_words;
  if (!plan.reduces) return round(part, groups, machine, 0) < straight(part, groups, machine);
  const std::int64_t sums = round(part, groups, machine, sum_cycles);
  const std::int64_t apart = llvm::divideCeil(words, groups.size);
  const std::int64_t dealt = straight(apart, groups, machine);
  if (!plan.gathers) return sums < dealt;
  const std::int64_t all = threshold::parted_reduction(words) ? 2 * dealt + call_cycles
                                                              : straight(words, groups, machine);
  return sums + round(part, groups, machine, 0) < all;
}

bool may_go_round(mlir::Value operand, const RingPlan& plan, const Groups& groups,
                  const Parameters& machine) {
  const std::int64_t words = words_of(operand);
  if (words == 0) return false;
  if (!plan.reduces) return true;
  if (!plan.gathers) return words % (groups.size * two_vectors(machine)) == 0;
  // The padding of a part is taken from the operand.
  return ring_part(words, groups, machine) * groups.size - words <= words;
}

}  // namespace

std::int64_t link_cycles(std::int64_t words, const Parameters& machine) {
  const std::int64_t beats = llvm::divideCeil(words, std::int64_t{machine.lanes});
  return rate * (beats + llvm::divideCeil(beats, std::int64_t{32}));
}

std::int64_t ring_part(std::int64_t words, const Groups& groups, const Parameters& machine) {
  return llvm::alignTo(llvm::divideCeil(words, groups.size), two_vectors(machine));
}

std::optional<RingPlan> ring_of(Operation* op, const Groups& groups, const Parameters& machine) {
  const llvm::StringRef name = op->getName().getStringRef();
  RingPlan plan;
  plan.reduces = name == "stablehlo.all_reduce" || name == "stablehlo.reduce_scatter";
  plan.gathers = name == "stablehlo.all_reduce" || name == "stablehlo.all_gather";
  if ((!plan.reduces && !plan.gathers) || groups.size < 3 || groups.size > most_places) return {};
  if (plan.reduces) plan.combine = combination(op);
  if (plan.reduces && plan.combine.empty()) return {};
  if (!llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
        return may_go_round(operand, plan, groups, machine);
      })) {
    return {};
  }
  const std::int64_t words = words_of(op->getOperand(0));
  plan.part_words = plan.reduces ? ring_part(words, groups, machine) : words;
  if (!pays(plan, words, groups, machine)) return {};
  if (plan.reduces) plan.block_words = block_for(plan.part_words, groups, machine);
  if (plan.reduces && plan.block_words == 0) return {};
  return plan;
}

}  // namespace tandem::compiler
