#include "sim/counters/counter_regions.hpp"

namespace tandem {

void CounterRegions::marked(const MarkerTiming& event) {
  if (regions_.empty()) regions_[code_] = {code_, 0, 1, {}};
  regions_[code_].counters += event.counters - since_;
  code_ = event.code;
  since_ = event.counters;
  CounterRegion& entered =
      regions_.try_emplace(code_, CounterRegion{code_, event.pc, 0, {}}).first->second;
  ++entered.times;
}

std::vector<CounterRegion> CounterRegions::regions(const CounterValues& now) const {
  std::vector<CounterRegion> result;
  for (const auto& [code, region] : regions_) {
    result.push_back(region);
    if (code == code_) result.back().counters += now - since_;
  }
  return result;
}

}  // namespace tandem
