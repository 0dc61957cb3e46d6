// Every operation on buffers gets a number before it is tiled (contract/regions.hpp): its location
// carries it, and the operation's data is in the function's `tandem.regions`.
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

using Texts = llvm::SmallVector<std::string>;

// Every name in a location, those of operations that have been fused too, and what is named so
// where.
void add_names(mlir::Location loc, Texts& names, Texts& sources) {
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    for (const mlir::Location part : fused.getLocations()) add_names(part, names, sources);
    return;
  }
  add_new(sources, source_key(loc));
  std::string name = operation_name(loc);
  if (!name.empty()) add_new(names, std::move(name));
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

// The description of an operation without a name from JAX.
std::string own_name(mlir::Operation* op) {
  auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op);
  if (!copy) return op->getName().getStringRef().str();
  const std::string from = tensor_name(copy.getSource());
  const std::string to = tensor_name(copy.getTarget());
  return "copy" + (from.empty() ? "" : " of " + from) + (to.empty() ? "" : " to " + to);
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
    Texts names;
    Texts sources;
    add_names(op->getLoc(), names, sources);
    op->walk([&](mlir::Operation* inner) { add_names(inner->getLoc(), names, sources); });
    if (names.empty()) names.push_back(own_name(op));
    const auto strings = [&](const Texts& texts) {
      return builder.getStrArrayAttr(
          llvm::SmallVector<llvm::StringRef>(texts.begin(), texts.end()));
    };
    mlir::NamedAttrList entry;
    entry.set("operations", strings(names));
    entry.set("sources", strings(sources));
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
