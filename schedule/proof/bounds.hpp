// Bounds of scalar registers, for addresses that names alone do not distinguish.
//
// Nothing is searched for here: the result claims the contents of registers where control arrives.
// A claim counts only if each path to its place preserves it, given the claims at the start of the
// path; those that some path breaks are dropped until the rest is consistent.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schedule/proof/constants.hpp"
#include "schedule/schedule.hpp"

namespace tandem::schedule::proof {

// anchor + first, first + step, .. last; `step` is 0 where there is only one.
struct Bound {
  std::uint32_t anchor = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 0;
};
using MaybeBound = std::optional<Bound>;

// Whether registers within them can never be equal.
bool never_equal(const Bound& a, const Bound& b);

class Bounds {
 public:
  Bounds(const LinearBlock& block, const Result& result, const Constants& constants);

  // For memory that an operation of the block touches other than at the address in an operand.
  [[nodiscard]] MaybeBound touched(std::uint32_t operation, std::uint8_t place, std::int64_t units,
                                   std::int64_t stride) const;

 private:
  // A value within one stretch: an unknown with a name, plus an offset; or only a bound.
  struct Held {
    std::int64_t name = 0;
    std::int64_t offset = 0;
    MaybeBound bound;
  };
  struct Test {
    Op op = Op::eq;
    Held a, b;
  };
  struct Way {
    std::uint32_t cut = 0;
    std::optional<bool> taken;
  };

  void run(std::uint32_t cut, bool keep_addresses);
  bool drop_broken(std::uint32_t cut);
  [[nodiscard]] std::vector<Way> ways(std::uint32_t last) const;
  [[nodiscard]] bool keeps(const Claim& claim, std::uint32_t last, const Way& way) const;
  void step(const LinearOperation& item, const Effects& effects, std::uint32_t number);
  [[nodiscard]] Held result(const LinearOperation& item, std::uint32_t number) const;
  [[nodiscard]] Held operand(const LinearOperation& item, std::uint8_t place) const;
  [[nodiscard]] Held held(VirtualId id) const;
  [[nodiscard]] Held held_by_number(std::int32_t index) const;
  void note_addresses(const LinearOperation& item, std::uint32_t number);

  const LinearBlock& block_;
  const Result& result_;
  const Constants& constants_;
  std::map<std::uint32_t, std::uint32_t> cut_at_;               // by operation
  std::vector<std::unordered_map<VirtualId, Claim>> claims_;    // by cut
  std::unordered_map<VirtualId, Held> now_;                     // written in this stretch
  std::unordered_map<std::int32_t, Held> numbered_;             // likewise, by number
  std::map<std::uint64_t, Test> tests_;                         // by predicate
  const std::unordered_map<VirtualId, Claim>* here_ = nullptr;  // claims where it begins
  std::unordered_map<std::uint64_t, Bound> addresses_;          // by operation and place
};

}  // namespace tandem::schedule::proof
