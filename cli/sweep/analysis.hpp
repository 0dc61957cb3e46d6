// The analysis of a study's points: the Pareto-optimal machines, and how much each parameter
// matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/sweep/results.hpp"
#include "cli/sweep/study.hpp"

namespace tandem {

// For each result: whether no machine with the same timing of its memory runs this program in fewer
// cycles with no more gates, or in as few cycles with fewer; bits of memory break ties between
// machines equal in both.
std::vector<bool> pareto_front(const Study& study, const std::vector<PointResult>& results);

// A step of one parameter, over points that are otherwise equal.
struct Sensitivity {
  std::string parameter;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::size_t pairs = 0;
  double ratio = 1;  // cycles after over cycles before, the geometric mean
  double least = 1;
  double most = 1;
};

// For one program, parameter by parameter, in steps between neighbouring values.
std::vector<Sensitivity> sensitivities(const Study& study, const std::vector<PointResult>& results,
                                       std::size_t program);

// A size or a timing of a machine, by its name in the tables.
struct MachineParameter {
  std::string name;
  std::uint32_t value = 0;
};
std::vector<MachineParameter> machine_parameters(const StudyMachine& machine);

}  // namespace tandem
