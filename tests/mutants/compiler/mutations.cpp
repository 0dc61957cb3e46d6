#include "tests/mutants/compiler/mutations.hpp"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "tests/mutants/compiler/changes.hpp"

namespace tandem::mutants {
namespace {

using mlir::Operation;

mlir::func::FuncOp main_of(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

std::vector<Operation*> operations(mlir::ModuleOp module) {
  std::vector<Operation*> all;
  mlir::func::FuncOp main = main_of(module);
  main.walk<mlir::WalkOrder::PreOrder>([&](Operation* op) {
    if (op != main) all.push_back(op);
  });
  return all;
}

std::string text_of(Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, mlir::OpPrintingFlags().skipRegions().elideLargeElementsAttrs(4));
  return text.substr(0, 160);
}

// Whether the change can be made and MLIR accepts the result.
bool is_possible(mlir::ModuleOp module, const Change& change, std::size_t number, unsigned place) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  const mlir::ScopedDiagnosticHandler silent(module.getContext(),
                                             [](mlir::Diagnostic&) { return mlir::success(); });
  return change(operations(*copy)[number], place) && mlir::succeeded(mlir::verify(*copy));
}

}  // namespace

std::optional<Mutation> mutate(mlir::ModuleOp module, std::mt19937& numbers) {
  constexpr int attempts = 60;  // of a kind
  const std::vector<Operation*> all = operations(module);
  // Each kind is chosen equally often, whether it has many places or few.
  const std::size_t first = numbers() % kinds().size();
  for (std::size_t i = 0; i < kinds().size(); ++i) {
    const Kind& kind = kinds()[(first + i) % kinds().size()];
    std::vector<std::size_t> places;
    for (std::size_t number = 0; number < all.size(); ++number) {
      if (kind.may_take(all[number])) places.push_back(number);
    }
    for (int attempt = 0; attempt < attempts && !places.empty(); ++attempt) {
      const std::size_t number = places[numbers() % places.size()];
      const unsigned place = numbers() % 6;
      if (!is_possible(module, kind.change, number, place)) continue;
      Mutation result{kind.name, text_of(all[number])};
      kind.change(all[number], place);
      return result;
    }
  }
  return std::nullopt;
}

}  // namespace tandem::mutants
