#include "compiler/contract/regions.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/places.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

constexpr llvm::StringLiteral prefix = "@region ";

Region region_from(mlir::DictionaryAttr entry, unsigned number) {
  Region region;
  region.number = number;
  region.numbers = {number};
  for (const mlir::Attribute name : entry.getAs<mlir::ArrayAttr>("operations")) {
    region.operations.push_back(mlir::cast<mlir::StringAttr>(name).getValue().str());
  }
  for (const mlir::Attribute source : entry.getAs<mlir::ArrayAttr>("sources")) {
    region.sources.push_back(mlir::cast<mlir::StringAttr>(source).getValue().str());
  }
  region.place = entry.getAs<mlir::StringAttr>("place").getValue().str();
  region.flops = entry.getAs<mlir::IntegerAttr>("flops").getInt();
  return region;
}

void absorb(Region& into, Region& from) {
  into.numbers.append(from.numbers);
  for (std::string& name : from.operations) add_new(into.operations, std::move(name));
  for (std::string& source : from.sources) add_new(into.sources, std::move(source));
  into.flops += from.flops;
  if (into.place.empty()) into.place = from.place;
  from.numbers.clear();
}

}  // namespace

void add_new(llvm::SmallVectorImpl<std::string>& texts, std::string text) {
  if (!llvm::is_contained(texts, text)) texts.push_back(std::move(text));
}

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
  if (const auto before = attribute::joined.get(function)) {
    llvm::append_range(all, before);
  }
  all.push_back(mlir::DenseI64ArrayAttr::get(function.getContext(), numbers));
  attribute::joined.set(function, mlir::ArrayAttr::get(function.getContext(), all));
}

std::vector<Region> regions_of(mlir::ModuleOp module) {
  auto function = module.lookupSymbol<FuncOp>("main");
  std::vector<Region> regions;
  if (!function || !attribute::regions.is_on(function)) return regions;
  for (const mlir::Attribute entry : attribute::regions.get(function)) {
    regions.push_back(region_from(mlir::cast<mlir::DictionaryAttr>(entry),
                                  static_cast<unsigned>(regions.size())));
  }
  if (const auto joined = attribute::joined.get(function)) {
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
