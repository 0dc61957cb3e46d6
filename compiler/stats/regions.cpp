#include "compiler/stats/regions.hpp"

#include "compiler/asm/operands.hpp"
#include "compiler/tensor/work.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

constexpr llvm::StringLiteral prefix = "@region ";
constexpr llvm::StringLiteral regions_attribute = "tandem.regions";
constexpr llvm::StringLiteral joined_attribute = "tandem.joined";

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
  const auto name =
      function.getArgAttrOfType<mlir::StringAttr>(argument.getArgNumber(), "tandem.name");
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

struct NumberRegions : mlir::PassWrapper<NumberRegions, mlir::OperationPass<FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumberRegions)
  llvm::StringRef getArgument() const override { return "tandem-number-regions"; }
  llvm::StringRef getDescription() const override {
    return "Give every operation on buffers the number of its region as the name of its location";
  }

  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation*> all;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (is_numbered(op)) all.push_back(op);
    });
    llvm::SmallVector<mlir::Attribute> regions;
    for (const auto [number, op] : llvm::enumerate(all)) {
      regions.push_back(described(op));
      wrap(op, static_cast<unsigned>(number));
    }
    getOperation()->setAttr(regions_attribute, mlir::ArrayAttr::get(&getContext(), regions));
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

Region region_from(mlir::DictionaryAttr entry, unsigned number) {
  Region region;
  region.number = number;
  region.numbers = {number};
  for (const mlir::Attribute name : entry.getAs<mlir::ArrayAttr>("operations")) {
    region.operations.push_back(mlir::cast<mlir::StringAttr>(name).getValue().str());
  }
  region.place = entry.getAs<mlir::StringAttr>("place").getValue().str();
  region.flops = entry.getAs<mlir::IntegerAttr>("flops").getInt();
  return region;
}

void absorb(Region& into, Region& from) {
  into.numbers.append(from.numbers);
  for (std::string& name : from.operations) {
    if (!llvm::is_contained(into.operations, name)) into.operations.push_back(std::move(name));
  }
  into.flops += from.flops;
  if (into.place.empty()) into.place = from.place;
  from.numbers.clear();
}

}  // namespace

std::unique_ptr<mlir::Pass> make_number_regions_pass() { return std::make_unique<NumberRegions>(); }

std::string region_name(unsigned number) { return (prefix + llvm::Twine(number)).str(); }

std::optional<unsigned> region_number(llvm::StringRef name) {
  unsigned number = 0;
  if (!name.consume_front(prefix) || name.getAsInteger(10, number)) return std::nullopt;
  return number;
}

std::optional<unsigned> region_of(mlir::Location loc) { return region_number(operation_name(loc)); }

void join_regions(llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
  llvm::SmallVector<std::int64_t> numbers;
  for (const mlir::linalg::LinalgOp op : ops) {
    if (const auto number = region_of(op->getLoc())) numbers.push_back(*number);
  }
  if (numbers.size() < 2) return;
  auto function = ops.front()->getParentOfType<FuncOp>();
  llvm::SmallVector<mlir::Attribute> all;
  if (const auto before = function->getAttrOfType<mlir::ArrayAttr>(joined_attribute)) {
    llvm::append_range(all, before);
  }
  all.push_back(mlir::DenseI64ArrayAttr::get(function.getContext(), numbers));
  function->setAttr(joined_attribute, mlir::ArrayAttr::get(function.getContext(), all));
}

std::vector<Region> regions_of(mlir::ModuleOp module) {
  auto function = module.lookupSymbol<FuncOp>("main");
  std::vector<Region> regions;
  if (!function || !function->hasAttr(regions_attribute)) return regions;
  for (const mlir::Attribute entry : function->getAttrOfType<mlir::ArrayAttr>(regions_attribute)) {
    regions.push_back(region_from(mlir::cast<mlir::DictionaryAttr>(entry),
                                  static_cast<unsigned>(regions.size())));
  }
  if (const auto joined = function->getAttrOfType<mlir::ArrayAttr>(joined_attribute)) {
    for (const mlir::Attribute entry : joined) {
      const auto numbers = mlir::cast<mlir::DenseI64ArrayAttr>(entry).asArrayRef();
      for (const std::int64_t number : numbers.drop_front()) {
        absorb(regions[numbers.front()], regions[number]);
      }
    }
  }
  llvm::erase_if(regions, [](const Region& region) { return region.numbers.empty(); });
  return regions;
}

}  // namespace tandem::compiler
