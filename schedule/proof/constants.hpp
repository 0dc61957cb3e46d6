// Registers whose value is the same wherever they are read: written once, by an operation that no
// path through the code repeats, or by a constant.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/program/linear.hpp"

namespace tandem::schedule::proof {

class Constants {
 public:
  struct Known {
    VirtualId root = no_virtual;  // the value of another such register, or none
    std::uint32_t anchor = 0;
    std::int64_t offset = 0;
  };

  explicit Constants(const LinearBlock& block);
  [[nodiscard]] std::optional<Known> find(VirtualId id) const { return known_[id]; }

 private:
  [[nodiscard]] std::optional<Known> operand(const LinearOperation& item, std::uint8_t place) const;
  [[nodiscard]] std::optional<Known> result(const LinearOperation& item) const;
  void find_repeated();

  const LinearBlock& block_;
  std::vector<std::optional<Known>> known_;
  std::vector<bool> repeated_;  // by operation
};

}  // namespace tandem::schedule::proof
