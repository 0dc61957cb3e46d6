// The allocation of a device's HBM: first fit, from one end. Threads may share it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace tandem::runtime {

// Bytes.
struct MemoryUse {
  std::uint64_t capacity = 0;
  std::uint64_t used = 0;
  std::uint64_t peak = 0;          // peak use
  std::uint64_t largest_free = 0;  // the largest allocation that would succeed now
};

class HbmAllocator {
 public:
  static constexpr std::uint64_t alignment = 4096;

  enum class Order : std::uint8_t { ascending, descending };

  // Manages [begin, end), both multiples of the alignment.
  HbmAllocator(std::uint64_t begin, std::uint64_t end, Order order = Order::ascending);

  // The address of `bytes` free bytes, rounded up to the alignment (at least one unit, so that
  // every allocation has an address of its own); nullopt when no gap is as large.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  // The same in two steps. The first such address, in this order, that is not before `from`, a
  // multiple of the alignment; it stays free as long as one thread alone allocates.
  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t bytes,
                                                  std::optional<std::uint64_t> from) const;
  void take(std::uint64_t address, std::uint64_t bytes);
  // `address` came from allocate() or take() and was not freed since.
  void free(std::uint64_t address);

  // From now on manages only memory from `begin` on; false, without a change, if something below it
  // is in use.
  bool give_up_below(std::uint64_t begin);

  [[nodiscard]] MemoryUse use() const;

 private:
  using Gaps = std::map<std::uint64_t, std::uint64_t>;

  mutable std::mutex mutex_;
  std::uint64_t begin_;
  Order order_;
  Gaps gaps_;  // address: bytes; no two are adjacent
  std::map<std::uint64_t, std::uint64_t> taken_;
  MemoryUse use_;
};

}  // namespace tandem::runtime
