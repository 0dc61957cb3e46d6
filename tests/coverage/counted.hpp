// A Verilated class that counts lines and branches (`verilator --coverage-line`): the counts of
// all its objects go, when the process ends, to the file that TANDEM_RTL_COVERAGE names.
#pragma once

#include <verilated.h>
#include <verilated_cov.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace tandem {

template <typename Model>
class CoverageTotals {
 public:
  static CoverageTotals& instance() {
    static CoverageTotals totals;
    return totals;
  }
  void add(const Model& model) {
    const auto& counts = model.rootp->vlSymsp->__Vcoverage;
    sums_.resize(std::size(counts));
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += counts[i];
  }
  // Only a Verilated object can write: one that never ran gets the sums.
  ~CoverageTotals() {
    const char* const path = std::getenv("TANDEM_RTL_COVERAGE");
    if (path == nullptr || sums_.empty()) return;
    VerilatedContext context;
    Verilated::threadContextp(&context);
    const Model model(&context);
    auto& counts = model.rootp->vlSymsp->__Vcoverage;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      counts[i] = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(sums_[i], std::numeric_limits<std::uint32_t>::max()));
    }
    context.coveragep()->write(path);
  }

 private:
  std::vector<std::uint64_t> sums_;
};

template <typename Model>
class Counted : public Model {
 public:
  template <typename... Arguments>
  explicit Counted(Arguments&&... arguments) : Model(std::forward<Arguments>(arguments)...) {
    CoverageTotals<Model>::instance();  // lives longer than this
  }
  ~Counted() { CoverageTotals<Model>::instance().add(*this); }
};

}  // namespace tandem
