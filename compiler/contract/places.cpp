#include "compiler/contract/places.hpp"

#include "isa/source/source_table.hpp"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

mlir::FileLineColLoc source_place(mlir::Location loc) {
  if (const auto place = mlir::dyn_cast<mlir::FileLineColLoc>(loc)) return place;
  if (const auto named = mlir::dyn_cast<mlir::NameLoc>(loc)) {
    return source_place(named.getChildLoc());
  }
  if (const auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc)) {
    // Code inside a library counts for the line that calls it.
    const mlir::FileLineColLoc place = source_place(call.getCallee());
    return place ? place : source_place(call.getCaller());
  }
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    for (const mlir::Location part : fused.getLocations()) {
      if (const auto place = source_place(part)) return place;
    }
  }
  return {};
}

std::string operation_name(mlir::Location loc) {
  if (const auto named = mlir::dyn_cast<mlir::NameLoc>(loc))
    return named.getName().getValue().str();
  if (const auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc)) {
    return operation_name(call.getCaller());
  }
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    for (const mlir::Location part : fused.getLocations()) {
      if (std::string name = operation_name(part); !name.empty()) return name;
    }
  }
  return {};
}

std::string place_text(mlir::Location loc) {
  const mlir::FileLineColLoc place = source_place(loc);
  if (!place) return "";
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine())).str();
}

std::string source_key(mlir::Location loc) { return operation_name(loc) + "@" + place_text(loc); }

std::string maker_of(mlir::Operation* op) {
  std::string text = place_text(op->getLoc());
  const std::string name = operation_name(op->getLoc());
  if (!name.empty()) text += (text.empty() ? "" : " ") + name;
  return text;
}

void source_chain(mlir::Location loc, llvm::SmallVectorImpl<mlir::FileLineColLoc>& chain) {
  if (const auto place = mlir::dyn_cast<mlir::FileLineColLoc>(loc)) {
    if (place.getLine() != 0 && chain.size() < max_source_depth) chain.push_back(place);
  } else if (const auto named = mlir::dyn_cast<mlir::NameLoc>(loc)) {
    source_chain(named.getChildLoc(), chain);
  } else if (const auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc)) {
    source_chain(call.getCallee(), chain);
    source_chain(call.getCaller(), chain);
  } else if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    for (const mlir::Location part : fused.getLocations()) {
      if (!chain.empty()) return;
      source_chain(part, chain);
    }
  }
}

}  // namespace tandem::compiler
