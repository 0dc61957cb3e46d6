#include "report/area/area.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tandem {
namespace {

enum class Term : std::uint8_t {
#define AREA_TERM(name, value) name,
#include "report/area/area_terms.def"
#undef AREA_TERM
};

struct Coefficient {
  std::string_view module;
  double Area::*quantity;
  Term term;
  double value;
};

constexpr Coefficient coefficients[] = {
#define AREA(module, quantity, term, value) {#module, &Area::quantity, Term::term, value},
#include "report/area/area_model.def"
#undef AREA
};

double term_value(Term term, const Parameters& machine) {
  using std::log2;
  const double lanes = machine.lanes;
  const double rows = machine.vmem_rows();
  const double words = machine.smem_words();
  const double bundles = machine.icache_bundles;
  switch (term) {
#define AREA_TERM(name, value) \
  case Term::name:             \
    return value;
#include "report/area/area_terms.def"
#undef AREA_TERM
  }
  __builtin_unreachable();
}

}  // namespace

std::vector<ModuleArea> module_areas(const Parameters& machine) {
  std::vector<ModuleArea> modules;
  for (const Coefficient& row : coefficients) {
    if (modules.empty() || modules.back().module != row.module) modules.push_back({row.module, {}});
    modules.back().area.*row.quantity += row.value * term_value(row.term, machine);
  }
  std::stable_sort(modules.begin(), modules.end(), [](const ModuleArea& a, const ModuleArea& b) {
    return a.area.gates > b.area.gates;
  });
  return modules;
}

Area machine_area(const Parameters& machine) {
  Area sum;
  for (const ModuleArea& module : module_areas(machine)) sum += module.area;
  return sum;
}

}  // namespace tandem
