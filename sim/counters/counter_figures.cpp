#include "sim/counters/counter_figures.hpp"

#include <cmath>

#include "isa/instructions.hpp"

namespace tandem {
namespace {

// The names that the expressions of isa/registers/figures.def use.
struct Terms {
  Terms(const CounterValues& counters, const Parameters& parameters)
      : values(counters),
        cycles(static_cast<double>(counters.cycles)),
        bundles(static_cast<double>(counters.cause(StallCause::issued))),
        lanes(parameters.lanes) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      operations += static_cast<double>(counters.events[slot]);  // slots come first
    }
  }

  [[nodiscard]] double of(CountedEvent name) const {
    return static_cast<double>(values.event(name));
  }

  const CounterValues& values;
  double cycles;
  double bundles;
  double lanes;
  double operations = 0;
};

double finite_or_zero(double value) { return std::isfinite(value) ? value : 0; }

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): names and expressions of the table
std::vector<CounterShare> counter_shares(const CounterValues& values,
                                         const Parameters& parameters) {
  const Terms terms(values, parameters);
  const double cycles = terms.cycles;
  const double bundles = terms.bundles;
  const double lanes = terms.lanes;
  return {
#define SHARE(name, whole, text) \
  {CountedEvent::name, text, finite_or_zero(terms.of(CountedEvent::name) / (whole))},
#define FIGURE(name, unit, value, meaning)
#include "isa/registers/figures.def"
#undef SHARE
#undef FIGURE
  };
}

std::vector<CounterFigure> counter_figures(const CounterValues& values,
                                           const Parameters& parameters) {
  const Terms terms(values, parameters);
  const double cycles = terms.cycles;
  const double bundles = terms.bundles;
  const double lanes = terms.lanes;
  const double operations = terms.operations;
  return {
#define SHARE(name, whole, text)
#define event(name) terms.of(CountedEvent::name)
#define FIGURE(name, unit, value, meaning) \
  {#name, meaning, FigureUnit::unit, finite_or_zero(value)},
#include "isa/registers/figures.def"
#undef SHARE
#undef FIGURE
#undef event
  };
}
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace tandem
