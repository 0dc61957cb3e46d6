// Forward branches of linear code that predicates could replace.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// Operations branch + 1 .. otherwise - 1 are done when the branch is not taken, otherwise .. end -
// 1 when it is. With a part for both, the operation before `otherwise` is a branch to `end`. If the
// only part ends with a branch back, the branch leaves a loop at its top or in its middle.
struct ForwardIf {
  std::uint32_t branch = 0;
  std::uint32_t otherwise = 0;
  std::uint32_t end = 0;
  bool repeats = false;  // operation end - 1 goes back, to the branch or before it

  [[nodiscard]] bool has_both() const { return otherwise != end; }
  // After the last operation that is done when the branch is not taken.
  [[nodiscard]] std::uint32_t first_end() const { return has_both() ? otherwise - 1 : end; }
};

// How many branches go to just before each operation; the last entry is the end of the code.
std::vector<std::uint32_t> entries_of(const LinearBlock& block);

// Those whose operations may all be predicated and that are entered at the branch only. In order;
// they do not overlap: of nested ones, the inner is returned.
std::vector<ForwardIf> forward_ifs(const LinearBlock& block);

// Whether an operation belongs to the branch, to the other one, or to neither.
enum class Part : std::uint8_t { none, branch, not_taken, taken };
Part part_of(const ForwardIf& item, std::uint32_t operation);

}  // namespace tandem::schedule
