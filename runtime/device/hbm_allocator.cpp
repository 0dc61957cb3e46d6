#include "runtime/device/hbm_allocator.hpp"

#include <algorithm>
#include <iterator>

namespace tandem::runtime {

HbmAllocator::HbmAllocator(std::uint64_t begin, std::uint64_t end, Order order)
    : begin_(begin), order_(order) {
  use_.capacity = end > begin ? end - begin : 0;
  if (use_.capacity != 0) gaps_.emplace(begin, use_.capacity);
}

namespace {

std::uint64_t rounded(std::uint64_t bytes) {
  constexpr std::uint64_t unit = HbmAllocator::alignment;
  return std::max(unit, (bytes + unit - 1) / unit * unit);
}

}  // namespace

std::optional<std::uint64_t> HbmAllocator::allocate(std::uint64_t bytes) {
  const auto address = find(bytes, std::nullopt);
  if (address) take(*address, bytes);
  return address;
}

std::optional<std::uint64_t> HbmAllocator::find(std::uint64_t bytes,
                                                std::optional<std::uint64_t> from) const {
  const std::lock_guard lock(mutex_);
  if (bytes > use_.capacity) return std::nullopt;
  const std::uint64_t wanted = rounded(bytes);
  if (order_ == Order::ascending) {
    for (const auto& [begin, size] : gaps_) {
      const std::uint64_t first = std::max(begin, from.value_or(begin));
      if (first <= begin + size && begin + size - first >= wanted) return first;
    }
    return std::nullopt;
  }
  const auto highest = [&](const auto& gap) {
    const std::uint64_t last = gap.first + gap.second - wanted;
    return std::min(last, from.value_or(last));
  };
  const auto gap = std::find_if(gaps_.rbegin(), gaps_.rend(), [&](const auto& item) {
    return item.second >= wanted && highest(item) >= item.first;
  });
  return gap == gaps_.rend() ? std::nullopt : std::optional(highest(*gap));
}

void HbmAllocator::take(std::uint64_t address, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t wanted = rounded(bytes);
  const auto gap = std::prev(gaps_.upper_bound(address));
  const std::uint64_t begin = gap->first;
  const std::uint64_t end = gap->first + gap->second;
  gaps_.erase(gap);
  if (begin != address) gaps_.emplace(begin, address - begin);
  if (address + wanted != end) gaps_.emplace(address + wanted, end - address - wanted);
  taken_.emplace(address, wanted);
  use_.used += wanted;
  use_.peak = std::max(use_.peak, use_.used);
}

void HbmAllocator::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto taken = taken_.find(address);
  auto gap = gaps_.emplace(address, taken->second).first;
  use_.used -= taken->second;
  taken_.erase(taken);
  const auto after = std::next(gap);
  if (after != gaps_.end() && gap->first + gap->second == after->first) {
    gap->second += after->second;
    gaps_.erase(after);
  }
  if (gap == gaps_.begin()) return;
  const auto before = std::prev(gap);
  if (before->first + before->second != gap->first) return;
  before->second += gap->second;
  gaps_.erase(gap);
}

bool HbmAllocator::give_up_below(std::uint64_t begin) {
  const std::lock_guard lock(mutex_);
  if (begin <= begin_) return true;
  const auto gap = gaps_.find(begin_);
  if (gap == gaps_.end() || gap->second < begin - begin_) return false;
  const std::uint64_t left = gap->second - (begin - begin_);
  gaps_.erase(gap);
  if (left != 0) gaps_.emplace(begin, left);
  use_.capacity -= begin - begin_;
  begin_ = begin;
  return true;
}

MemoryUse HbmAllocator::use() const {
  const std::lock_guard lock(mutex_);
  MemoryUse result = use_;
  for (const auto& [address, bytes] : gaps_) {
    result.largest_free = std::max(result.largest_free, bytes);
  }
  return result;
}

}  // namespace tandem::runtime
