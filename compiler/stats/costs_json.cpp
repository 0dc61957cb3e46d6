#include "compiler/stats/costs_json.hpp"

#include <cmath>

#include "compiler/stats/cost.hpp"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::compiler {
namespace {

namespace json = llvm::json;

std::int64_t whole(double number) { return std::llround(number); }

json::Object units_json(const Cost& cost) {
  json::Object units;
  for (std::size_t i = 0; i < bound_names.size(); ++i) {
    const bool is_matrix = i == static_cast<std::size_t>(Bound::mxu);
    const double busy = is_matrix ? std::max(cost.busy[i], cost.pushes) : cost.busy[i];
    if (busy > 0) units[bound_names[i]] = whole(busy);
  }
  return units;
}

json::Object region_json(const Region& region, const Cost& cost) {
  json::Object row;
  row["numbers"] = json::Array(region.numbers);
  row["operations"] = json::Array(region.operations);
  row["place"] = region.place;
  row["flops"] = region.flops;
  row["bound"] = bound_names[static_cast<std::size_t>(cost.bound())];
  row["sources"] = json::Array(region.sources);
  row["plan"] = whole(cost.roof());
  row["predicted"] = whole(cost.cycles);
  row["waits"] = whole(cost.waits);
  row["hbm_in"] = whole(cost.hbm_in);
  row["hbm_out"] = whole(cost.hbm_out);
  row["vmem"] = whole(cost.vmem);
  row["busy"] = units_json(cost);
  return row;
}

Cost cost_of_region(const Region& region, ProgramCost& program) {
  Cost sum;
  for (const unsigned number : region.numbers) {
    const Cost& part = program.regions[number];
    sum.add_work(part);
    sum.cycles += part.cycles;
    sum.waits += part.waits;
  }
  return sum;
}

}  // namespace

std::string costs_json(mlir::ModuleOp module, const Parameters& machine, double turns) {
  ProgramCost program = cost_of(module, machine, turns);
  json::Array regions;
  for (const Region& region : regions_of(module)) {
    regions.push_back(region_json(region, cost_of_region(region, program)));
  }
  json::Object all;
  all["regions"] = std::move(regions);
  all["rest"] = whole(program.rest.cycles);
  all["unknown_loops"] = program.unknown_loops;
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(all));
  return text;
}

}  // namespace tandem::compiler
