// Values derived from counters: shares and rates (isa/registers/figures.def, docs/counters.md).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isa/parameters.hpp"
#include "sim/events/counter_values.hpp"

namespace tandem {

// An event together with its maximum.
struct CounterShare {
  CountedEvent event;
  std::string_view of;  // "of the bundles"
  double share = 0;     // 0 to 1; 0 if the maximum is 0
};

enum class FigureUnit : std::uint8_t { count, ratio, percent };

struct CounterFigure {
  std::string_view name;
  std::string_view meaning;
  FigureUnit unit;
  double value = 0;  // percent: 0 to 1
};

std::vector<CounterShare> counter_shares(const CounterValues& values, const Parameters& parameters);
std::vector<CounterFigure> counter_figures(const CounterValues& values,
                                           const Parameters& parameters);

}  // namespace tandem
