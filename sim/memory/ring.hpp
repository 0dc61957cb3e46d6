// A queue of bounded depth in place, like tpu_fifo in hardware. Pushing while full or popping while
// empty is an error of the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tandem {

template <typename T, std::size_t Depth>
class Ring {
  static_assert(Depth != 0 && (Depth & (Depth - 1)) == 0, "a power of two");

 public:
  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool full() const { return count_ == Depth; }
  // Entry i from the front.
  [[nodiscard]] T& operator[](std::uint32_t i) { return entries_[(head_ + i) % Depth]; }
  [[nodiscard]] const T& operator[](std::uint32_t i) const { return entries_[(head_ + i) % Depth]; }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }

  // Returns the new entry, to be filled in.
  T& push() { return entries_[(head_ + count_++) % Depth]; }
  void push(const T& value) { push() = value; }
  void pop() {
    head_ = (head_ + 1) % Depth;
    --count_;
  }

 private:
  std::array<T, Depth> entries_{};
  std::uint32_t head_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace tandem
