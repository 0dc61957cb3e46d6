// What is known of scalar values and addresses without running the program.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/linear.hpp"
#include "schedule/regions.hpp"

namespace tandem::schedule {

// root + anchor + offset, modulo 2^32. Root 0 is none; other roots are values that are not known
// but the same wherever the root is the same. Anchors are constants that only the linker knows.
struct Symbolic {
  std::uint32_t root = 0;
  std::uint32_t anchor = 0;
  std::int64_t offset = 0;

  [[nodiscard]] bool same_base(const Symbolic& other) const {
    return root == other.root && anchor == other.anchor;
  }
};

// Values along one region after the other, operation by operation.
class Values {
 public:
  explicit Values(const LinearBlock& block);

  // Forgets what only held in the region before.
  void begin_region();
  // The address that an operand with brackets forms, as its operation reads it.
  [[nodiscard]] Symbolic address(const LinearOperation& item, std::uint8_t place);
  // What behind the operation is known of the register that it writes.
  void execute(const LinearOperation& item, const Effects& effects);
  // The value of a scalar register now.
  Symbolic scalar(const RegisterKey& key);

 private:
  [[nodiscard]] Symbolic result_of(const LinearOperation& item);
  [[nodiscard]] Symbolic read(const LinearOperation& item, std::uint8_t place);
  [[nodiscard]] Symbolic unknown() { return {next_root_++, 0, 0}; }
  void find_constants();

  const LinearBlock& block_;
  std::uint32_t next_root_ = 1;
  std::unordered_map<std::uint64_t, Symbolic> now_;  // by register, in this region
  std::unordered_map<VirtualId, Symbolic> always_;   // written once, outside of loops
};

}  // namespace tandem::schedule
