// Every operation on buffers gets a number before it is tiled (contract/regions.hpp): its location
// carries it, and what is known of the operation stands in the function's `tandem.regions`.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/contract/regions.hpp"
#include "compiler/tensor/work.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

bool is_numbered(mlir::Operation* op) {
  return mlir::isa<mlir::linalg::LinalgOp, mlir::memref::CopyOp, mlir::func::CallOp>(op);
}

// Every name in a location, those of operations that have been fused too.
void add_names(mlir::Location loc, llvm::SmallVectorImpl<std::string>& names) {
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    for (const mlir::Location part : fused.getLocations()) add_names(part, names);
    return;
  }
  std::string name = operation_name(loc);
  if (!name.empty() && !llvm::is_contained(names, name)) names.push_back(std::move(name));
}

// The tensor that a view is of; "" for a buffer of the program.
std::string tensor_name(mlir::Value view) {
  while (mlir::Operation* op = view.getDefiningOp()) {
    if (!mlir::isa<mlir::ViewLikeOpInterface>(op)) return "";
    view = op->getOperand(0);
  }
  const auto argument = mlir::cast<mlir::BlockArgument>(view);
  auto function = mlir::dyn_cast<FuncOp>(argument.getOwner()->getParentOp());
  if (!function) return "";
  const auto name = attribute::name.get(function, argument.getArgNumber());
  return name ? name.getValue().str() : "";
}

// What an operation without a name of JAX is.
std::string own_name(mlir::Operation* op) {
  auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op);
  if (!copy) return op->getName().getStringRef().str();
  const std::string from = tensor_name(copy.getSource());
  const std::string to = tensor_name(copy.getTarget());
  return "copy" + (from.empty() ? "" : " of " + from) + (to.empty() ? "" : " to " + to);
}

std::string place_text(mlir::Location loc) {
  const mlir::FileLineColLoc place = source_place(loc);
  if (!place) return "";
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine())).str();
}

struct NumberRegions : FunctionPass<NumberRegions, PassName::number_regions> {
  void run() {
    llvm::SmallVector<mlir::Operation*> all;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (is_numbered(op)) all.push_back(op);
    });
    llvm::SmallVector<mlir::Attribute> regions;
    for (const auto [number, op] : llvm::enumerate(all)) {
      regions.push_back(described(op));
      wrap(op, static_cast<unsigned>(number));
    }
    attribute::regions.set(getOperation(), mlir::ArrayAttr::get(&getContext(), regions));
  }

 private:
  mlir::Attribute described(mlir::Operation* op) {
    mlir::Builder builder(&getContext());
    llvm::SmallVector<std::string> names;
    add_names(op->getLoc(), names);
    op->walk([&](mlir::Operation* inner) { add_names(inner->getLoc(), names); });
    if (names.empty()) names.push_back(own_name(op));
    llvm::SmallVector<llvm::StringRef> given(names.begin(), names.end());
    mlir::NamedAttrList entry;
    entry.set("operations", builder.getStrArrayAttr(given));
    entry.set("place", builder.getStringAttr(place_text(op->getLoc())));
    entry.set("flops", builder.getI64IntegerAttr(work_of(*op).flops));
    return entry.getDictionary(&getContext());
  }

  void wrap(mlir::Operation* op, unsigned number) {
    const auto name = mlir::StringAttr::get(&getContext(), region_name(number));
    op->walk([&](mlir::Operation* inner) {
      inner->setLoc(mlir::NameLoc::get(name, mlir::LocationAttr(inner->getLoc())));
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_number_regions_pass() { return std::make_unique<NumberRegions>(); }

}  // namespace tandem::compiler
