#include "sim/counters/time_buckets.hpp"

#include <algorithm>

namespace tandem {

void TimeBuckets::add_range(std::size_t row, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t end = first + count;
  make_room(end - 1);
  for (std::uint64_t at = first; at < end;) {
    const std::uint64_t bucket = at >> shift_;
    const std::uint64_t next = std::min(end, (bucket + 1) << shift_);
    rows_[row][bucket] += next - at;
    at = next;
  }
}

void TimeBuckets::coarsen() {
  for (std::vector<std::uint64_t>& row : rows_) {
    for (std::size_t i = 0; i < most_buckets / 2; ++i) row[i] = row[2 * i] + row[2 * i + 1];
    std::fill(row.begin() + most_buckets / 2, row.end(), 0);
  }
  ++shift_;
}

std::vector<std::uint64_t> TimeBuckets::row(std::size_t row, std::uint64_t cycles) const {
  const std::uint64_t used =
      std::min<std::uint64_t>((cycles + width() - 1) >> shift_, most_buckets);
  const std::vector<std::uint64_t>& all = rows_[row];
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(used)};
}

}  // namespace tandem
