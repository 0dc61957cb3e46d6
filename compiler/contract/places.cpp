#include "compiler/contract/places.hpp"

#include <algorithm>
#include <vector>

#include "isa/source/source_table.hpp"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {
namespace {

// Of one location, those that are shared counted each time.
constexpr unsigned most_parts = 1U << 16U;
// What JAX says of a call is as deep as Python's stack, which ends at 1,000.
constexpr unsigned deepest = 4096;

llvm::SmallVector<mlir::Location> parts_of(mlir::Location loc) {
  if (const auto named = mlir::dyn_cast<mlir::NameLoc>(loc)) return {named.getChildLoc()};
  if (const auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc)) {
    return {call.getCallee(), call.getCaller()};
  }
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    return llvm::SmallVector<mlir::Location>(fused.getLocations());
  }
  return {};
}

// Does not call itself.
class Locations {
 public:
  bool is_short(mlir::Location whole) {
    std::vector<mlir::Location> open{whole};
    while (!open.empty()) {
      const mlir::Location loc = open.back();
      if (known_.contains(loc)) {
        open.pop_back();
      } else if (!wait_for_parts(loc, open)) {
        open.pop_back();
        if (!know(loc)) return false;
      } else if (open.size() > std::size_t{most_parts} + deepest) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Size {
    unsigned parts = 1;
    unsigned depth = 1;
  };

  bool wait_for_parts(mlir::Location loc, std::vector<mlir::Location>& open) const {
    const std::size_t before = open.size();
    for (const mlir::Location part : parts_of(loc)) {
      if (!known_.contains(part)) open.push_back(part);
    }
    return open.size() > before;
  }

  bool know(mlir::Location loc) {
    Size size;
    for (const mlir::Location part : parts_of(loc)) {
      const Size& of_part = known_.find(part)->second;
      size.depth = std::max(size.depth, of_part.depth + 1);
      size.parts = std::min(size.parts + of_part.parts, most_parts + 1);
    }
    known_[loc] = size;
    return size.parts <= most_parts && size.depth <= deepest;
  }

  llvm::DenseMap<mlir::Attribute, Size> known_;
};

}  // namespace

bool has_short_locations(mlir::Operation* module) {
  Locations locations;
  const auto walked = module->walk([&](mlir::Operation* op) {
    bool is_short = locations.is_short(op->getLoc());
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& block : region) {
        for (const mlir::BlockArgument argument : block.getArguments()) {
          is_short = is_short && locations.is_short(argument.getLoc());
        }
      }
    }
    return is_short ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

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
