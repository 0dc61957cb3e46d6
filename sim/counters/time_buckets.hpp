// Amounts over time, in a bounded number of buckets: when a run outgrows them, neighbours are added
// up and each bucket covers twice as many cycles. So memory and detail fit a run of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem {

class TimeBuckets {
 public:
  static constexpr std::size_t most_buckets = 1024;  // a power of two

  explicit TimeBuckets(std::size_t rows) : rows_(rows, std::vector<std::uint64_t>(most_buckets)) {}

  void add(std::size_t row, std::uint64_t cycle) {
    make_room(cycle);
    ++rows_[row][cycle >> shift_];
  }
  // One in each of `count` cycles.
  void add_range(std::size_t row, std::uint64_t first, std::uint64_t count);

  // Cycles of a bucket, a power of two.
  [[nodiscard]] std::uint64_t width() const { return std::uint64_t{1} << shift_; }
  // The buckets of a row that cover `cycles` cycles.
  [[nodiscard]] std::vector<std::uint64_t> row(std::size_t row, std::uint64_t cycles) const;

 private:
  void make_room(std::uint64_t cycle) {
    while ((cycle >> shift_) >= most_buckets) coarsen();
  }
  void coarsen();

  std::vector<std::vector<std::uint64_t>> rows_;
  unsigned shift_ = 0;
};

}  // namespace tandem
