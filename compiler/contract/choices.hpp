// Decisions that the compiler takes by its cost models, and that can be set from outside: by the
// tuner (tune/), which asks the cycle-exact model.
//
// A decision is named after its subject and the number of earlier ones of that kind in the
// function: "contraction.rows#2". Passes ask in the order of the program, so the same program with
// the same earlier choices has the same decisions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/contract/thresholds.hpp"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
class Operation;
class Pass;
}  // namespace mlir

namespace tandem::compiler {

using Choices = std::map<std::string, std::int64_t>;

struct Decision {
  std::string name;
  std::int64_t chosen = 0;
  std::int64_t by_model = 0;
  std::vector<std::int64_t> candidates;  // by_model among them
};

// The choice for the operation's function: the one in the choices, else `by_model`. Every one of
// the `candidates` must lead to a correct program.
std::int64_t choose(mlir::Operation* at, DecisionName about, std::int64_t by_model,
                    llvm::ArrayRef<std::int64_t> candidates);

// The function's passes from here on take these choices and leave a note of every decision.
std::unique_ptr<mlir::Pass> make_set_choices_pass(const Choices& choices);

// Every decision taken since then.
std::vector<Decision> decisions_of(mlir::ModuleOp module);

// What is wrong with the choices for this program; "" where each was a candidate.
std::string misfit(const Choices& choices, llvm::ArrayRef<Decision> decisions);

}  // namespace tandem::compiler
