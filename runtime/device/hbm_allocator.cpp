#include "runtime/device/hbm_allocator.hpp"

#include <algorithm>
#include <iterator>

namespace tandem::runtime {

HbmAllocator::HbmAllocator(std::uint64_t begin, std::uint64_t end, Order order)
    : begin_(begin), order_(order) {
  use_.capacity = end > begin ? end - begin : 0;
  if (use_.capacity != 0) gaps_.emplace(begin, use_.capacity);
}

HbmAllocator::Gaps::iterator HbmAllocator::gap_for(std::uint64_t bytes) {
  const auto is_enough = [bytes](const auto& item) { return item.second >= bytes; };
  if (order_ == Order::ascending) return std::find_if(gaps_.begin(), gaps_.end(), is_enough);
  const auto last = std::find_if(gaps_.rbegin(), gaps_.rend(), is_enough);
  return last == gaps_.rend() ? gaps_.end() : std::prev(last.base());
}

std::optional<std::uint64_t> HbmAllocator::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > use_.capacity) return std::nullopt;
  const std::uint64_t wanted = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
  const auto gap = gap_for(wanted);
  if (gap == gaps_.end()) return std::nullopt;
  const auto [begin, size] = *gap;
  gaps_.erase(gap);
  const bool from_below = order_ == Order::ascending;
  const std::uint64_t address = from_below ? begin : begin + size - wanted;
  if (size != wanted) gaps_.emplace(from_below ? begin + wanted : begin, size - wanted);
  taken_.emplace(address, wanted);
  use_.used += wanted;
  use_.peak = std::max(use_.peak, use_.used);
  return address;
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
