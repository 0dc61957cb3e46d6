#include "cosim/coverage/steering.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tandem {
namespace {

constexpr std::uint32_t uniform_percent = 30;  // of draws, so that nothing is abandoned for good
constexpr std::uint64_t scale = 1024;

}  // namespace

std::uint32_t KnobSteering::draw(const KnobRow& row) {
  if (rng_.chance(uniform_percent)) return rng_.pick(std::span<const std::uint32_t>(row.drawn));
  std::vector<std::uint32_t> weights;
  std::uint64_t sum = 0;
  for (const std::uint32_t value : row.drawn) {
    const Record& record = records_[{std::string(row.name), value}];
    const std::uint64_t weight = scale * (record.found + 1) / (record.uses + 1) + 1;
    weights.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, 1U << 24U)));
    sum += weights.back();
  }
  std::uint64_t at = rng_.next64() % sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (at < weights[i]) return row.drawn[i];
    at -= weights[i];
  }
  return row.drawn.back();
}

KnobChoices KnobSteering::next(const KnobChoices& fixed) {
  KnobChoices choices = fixed;
  for (const KnobRow& row : random_knob_table()) {
    if (choices.contains(row.name)) continue;
    const std::uint32_t value = draw(row);
    choices[std::string(row.name)] = {value, value};
  }
  return choices;
}

void KnobSteering::reward(const KnobChoices& used, std::size_t new_bins) {
  for (const auto& [name, range] : used) {
    Record& record = records_[{name, range.low}];
    ++record.uses;
    record.found += new_bins;
  }
}

}  // namespace tandem
