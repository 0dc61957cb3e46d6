#include "cli/run/run_readers.hpp"

namespace tandem {

RunReaders::RunReaders(bool counters) {
  if (counters) events_.add(&regions_);
}

std::vector<CounterRegion> RunReaders::regions(const Runner& runner) const {
  const std::optional<CounterValues> now = runner.counters();
  return now ? regions_.regions(*now) : std::vector<CounterRegion>{};
}

}  // namespace tandem
