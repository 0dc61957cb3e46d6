#include "compiler/contract/choices.hpp"

#include <fmt/format.h>

#include "compiler/contract/attributes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

struct SetChoices : mlir::PassWrapper<SetChoices, mlir::OperationPass<FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SetChoices)
  explicit SetChoices(Choices choices) : choices(std::move(choices)) {}

  void runOnOperation() override {
    mlir::Builder builder(&getContext());
    mlir::NamedAttrList given;
    for (const auto& [name, value] : choices) given.set(name, builder.getI64IntegerAttr(value));
    attribute::choices.set(getOperation(), given.getDictionary(&getContext()));
    attribute::decisions.set(getOperation(), builder.getArrayAttr({}));
  }

  Choices choices;
};

mlir::Attribute note(mlir::Builder& builder, const Decision& decision) {
  mlir::NamedAttrList entry;
  entry.set("name", builder.getStringAttr(decision.name));
  entry.set("chosen", builder.getI64IntegerAttr(decision.chosen));
  entry.set("by_model", builder.getI64IntegerAttr(decision.by_model));
  entry.set("candidates", builder.getDenseI64ArrayAttr(decision.candidates));
  return entry.getDictionary(builder.getContext());
}

Decision decision_from(mlir::DictionaryAttr entry) {
  const auto number = [&](llvm::StringRef name) {
    return entry.getAs<mlir::IntegerAttr>(name).getInt();
  };
  Decision decision;
  decision.name = entry.getAs<mlir::StringAttr>("name").getValue().str();
  decision.chosen = number("chosen");
  decision.by_model = number("by_model");
  const auto candidates = entry.getAs<mlir::DenseI64ArrayAttr>("candidates").asArrayRef();
  decision.candidates.assign(candidates.begin(), candidates.end());
  return decision;
}

// "about#n", where n is the number of that kind so far.
std::string name_of(llvm::StringRef about, mlir::ArrayAttr taken) {
  const auto before = llvm::count_if(taken, [&](mlir::Attribute entry) {
    const auto name =
        mlir::cast<mlir::DictionaryAttr>(entry).getAs<mlir::StringAttr>("name").getValue();
    return name.take_front(name.rfind('#')) == about;
  });
  return fmt::format("{}#{}", about.str(), before);
}

// The value, and a note of the decision where notes are requested.
std::int64_t ask(mlir::Operation* at, DecisionName about, std::int64_t by_model,
                 llvm::ArrayRef<std::int64_t> candidates) {
  auto function = mlir::isa<FuncOp>(at) ? mlir::cast<FuncOp>(at) : at->getParentOfType<FuncOp>();
  const auto given = attribute::choices.get(function);
  if (!given) return by_model;
  const auto taken = attribute::decisions.get(function);
  Decision decision{name_of(text_of(about), taken), by_model, by_model, {by_model}};
  for (const std::int64_t candidate : candidates) {
    if (!llvm::is_contained(decision.candidates, candidate)) {
      decision.candidates.push_back(candidate);
    }
  }
  if (decision.candidates.size() == 1) return by_model;
  if (const auto asked = given.getAs<mlir::IntegerAttr>(decision.name)) {
    if (llvm::is_contained(decision.candidates, asked.getInt())) decision.chosen = asked.getInt();
  }
  mlir::Builder builder(function.getContext());
  llvm::SmallVector<mlir::Attribute> all(taken.begin(), taken.end());
  all.push_back(note(builder, decision));
  attribute::decisions.set(function, builder.getArrayAttr(all));
  return decision.chosen;
}

}  // namespace

std::int64_t choose(mlir::Operation* at, DecisionName about, std::int64_t by_model,
                    llvm::ArrayRef<std::int64_t> candidates) {
  const std::int64_t value = ask(at, about, by_model, candidates);
  chose(about, value, candidates);
  return value;
}

std::unique_ptr<mlir::Pass> make_set_choices_pass(const Choices& choices) {
  return std::make_unique<SetChoices>(choices);
}

std::vector<Decision> decisions_of(mlir::ModuleOp module) {
  std::vector<Decision> decisions;
  for (auto function : module.getOps<FuncOp>()) {
    const auto taken = attribute::decisions.get(function);
    if (!taken) continue;
    for (const mlir::Attribute entry : taken) {
      decisions.push_back(decision_from(mlir::cast<mlir::DictionaryAttr>(entry)));
    }
  }
  return decisions;
}

std::string misfit(const Choices& choices, llvm::ArrayRef<Decision> decisions) {
  for (const auto& choice : choices) {
    const auto& [name, value] = choice;
    const auto* const found = llvm::find_if(
        decisions, [&](const Decision& decision) { return decision.name == choice.first; });
    if (found == decisions.end()) return fmt::format("the program has no decision {}", name);
    if (!llvm::is_contained(found->candidates, value)) {
      return fmt::format("{} is no candidate of {}, but one of {}", value, name,
                         fmt::join(found->candidates, ", "));
    }
  }
  return "";
}

}  // namespace tandem::compiler
