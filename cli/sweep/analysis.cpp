#include "cli/sweep/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/area/area.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem {
namespace {

bool has_cycles(const PointResult& result) {
  return result.record != nullptr && result.record->passed;
}

using Timing = std::vector<std::uint32_t>;

Timing timing_of(const StudyMachine& machine) {
  MemoryTimingParameters memory;
  apply_timing(machine.timing, memory);
  Timing values;
  for (std::size_t row = 0; row < machine_timings().size(); ++row) {
    values.push_back(timing_value(memory, row));
  }
  return values;
}

struct Cost {
  double cycles;
  Area area;
  Timing timing;
};

bool beats(const Cost& a, const Cost& b) {
  if (a.cycles == b.cycles && a.area.gates == b.area.gates) {
    return a.area.memory_bits < b.area.memory_bits;
  }
  return a.cycles <= b.cycles && a.area.gates <= b.area.gates;
}

// Points that differ in one parameter only are equal without it.
using Rest = std::vector<std::uint32_t>;
using ByValue = std::map<std::uint32_t, double>;  // cycles

std::map<Rest, ByValue> groups(const Study& study, const std::vector<PointResult>& results,
                               std::size_t program, std::size_t parameter) {
  std::map<Rest, ByValue> found;
  for (const PointResult& result : results) {
    if (result.point.program != program || !has_cycles(result)) continue;
    Rest rest;
    std::uint32_t value = 0;
    const auto all = machine_parameters(study.machines[result.point.machine]);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == parameter) {
        value = all[i].value;
      } else {
        rest.push_back(all[i].value);
      }
    }
    found[rest][value] = static_cast<double>(result.record->cycles);
  }
  return found;
}

using Steps = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>>;

Steps steps_of(const std::map<Rest, ByValue>& groups) {
  Steps steps;
  for (const auto& [rest, cycles] : groups) {
    for (auto at = cycles.begin(); at != cycles.end(); ++at) {
      const auto next = std::next(at);
      if (next == cycles.end() || at->second == 0) continue;
      steps[{at->first, next->first}].push_back(next->second / at->second);
    }
  }
  return steps;
}

}  // namespace

std::vector<MachineParameter> machine_parameters(const StudyMachine& machine) {
  std::vector<MachineParameter> parameters;
  for (const MachineSize& size : machine_sizes()) {
    parameters.push_back({std::string(size.name), (*machine.sizes).*size.member});
  }
  const Timing timing = timing_of(machine);
  for (std::size_t row = 0; row < timing.size(); ++row) {
    parameters.push_back({std::string(machine_timings()[row].name), timing[row]});
  }
  return parameters;
}

std::vector<bool> pareto_front(const Study& study, const std::vector<PointResult>& results) {
  std::vector<Cost> costs;
  for (const PointResult& result : results) {
    const double cycles =
        has_cycles(result) ? static_cast<double>(result.record->cycles) : HUGE_VAL;
    const StudyMachine& machine = study.machines[result.point.machine];
    costs.push_back({cycles, machine_area(*machine.sizes), timing_of(machine)});
  }
  std::vector<bool> front;
  for (std::size_t i = 0; i < results.size(); ++i) {
    bool is_best = has_cycles(results[i]);
    for (std::size_t j = 0; j < results.size() && is_best; ++j) {
      const bool compared = results[j].point.program == results[i].point.program &&
                            costs[j].timing == costs[i].timing;
      is_best = !compared || !beats(costs[j], costs[i]);
    }
    front.push_back(is_best);
  }
  return front;
}

std::vector<Sensitivity> sensitivities(const Study& study, const std::vector<PointResult>& results,
                                       std::size_t program) {
  std::vector<Sensitivity> found;
  const auto parameters = machine_parameters(study.machines.front());
  for (std::size_t parameter = 0; parameter < parameters.size(); ++parameter) {
    for (const auto& [step, ratios] : steps_of(groups(study, results, program, parameter))) {
      double logs = 0;
      for (const double ratio : ratios) logs += std::log(ratio);
      const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
      found.push_back({parameters[parameter].name, step.first, step.second, ratios.size(),
                       std::exp(logs / static_cast<double>(ratios.size())), *least, *most});
    }
  }
  return found;
}

}  // namespace tandem
