// Static knowledge of scalar values and addresses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"
#include "schedule/program/range.hpp"

namespace tandem::schedule {

// root + anchor + offset, modulo 2^32. Root 0 is none; other roots are unknown values, equal
// wherever the root is equal. Anchors are constants that only the linker knows.
struct Symbolic {
  std::uint32_t root = 0;
  std::uint32_t anchor = 0;
  std::int64_t offset = 0;

  [[nodiscard]] bool same_base(const Symbolic& other) const {
    return root == other.root && anchor == other.anchor;
  }
};

// Ranges of virtual scalars where a region begins; those not in it may hold anything.
using EntryRanges = std::unordered_map<VirtualId, Range>;

// A comparison whose result a predicate holds.
struct Comparison {
  Op op = Op::eq;
  Symbolic a, b;
};

// Tracks values through one region after the other, operation by operation.
class Values {
 public:
  explicit Values(const LinearBlock& block);

  // By the first operation of each region; see value_ranges.hpp.
  using Entries = std::unordered_map<std::uint32_t, EntryRanges>;
  void set_entries(const Entries* entries) { entries_ = entries; }

  // Forgets what only held in the region before.
  void begin_region(const Region& region);
  void begin_region(const EntryRanges* entry);
  // The address that an operand with brackets forms, as its operation reads it.
  [[nodiscard]] Symbolic address(const LinearOperation& item, std::uint8_t place);
  // What is known, after the operation, of the register that it writes.
  void execute(const LinearOperation& item, const Effects& effects);
  // The value of a scalar register now.
  Symbolic scalar(const RegisterKey& key);
  [[nodiscard]] MaybeRange range_of(const Symbolic& value) const;
  // What is known from a predicate that was written in this region.
  [[nodiscard]] const Comparison* comparison(const RegisterKey& predicate) const;
  // Whether a register has one value throughout, which is known without ranges.
  [[nodiscard]] bool is_constant(VirtualId id) const;

 private:
  [[nodiscard]] Symbolic result_of(const LinearOperation& item);
  [[nodiscard]] Symbolic read(const LinearOperation& item, std::uint8_t place);
  Symbolic unknown(const MaybeRange& range = std::nullopt);
  Symbolic computed(const LinearOperation& item);
  void note_comparison(const LinearOperation& item, const Effects& effects);
  void find_constants();

  const LinearBlock& block_;
  std::uint32_t next_root_ = 1;
  const Entries* entries_ = nullptr;
  const EntryRanges* entry_ = nullptr;                         // of this region
  std::unordered_map<std::uint64_t, Symbolic> now_;            // by register, in this region
  std::unordered_map<std::uint32_t, Range> ranges_;            // by root, in this region
  std::unordered_map<std::uint64_t, Comparison> comparisons_;  // by predicate, in this region
  std::unordered_map<VirtualId, Symbolic> always_;             // written once, outside of loops
};

}  // namespace tandem::schedule
