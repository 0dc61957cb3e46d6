// How lanes of a row of VMEM are taken from lanes of another row.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tandem::compiler {

// Lanes of a target row, and the lanes they come from.
using Lanes = std::vector<std::pair<std::int64_t, std::int64_t>>;

// A step in the source lanes: by `by` at every lane j where `period` divides j + `shift`.
struct Jump {
  std::int64_t period = 1;
  std::int64_t shift = 0;
  std::int64_t by = 0;

  bool operator==(const Jump&) const = default;
};

// The source of lane j, modulo the number of lanes, in a form that the cross-lane unit can compute.
struct Way {
  enum class Kind : std::uint8_t {
    stay,     // j
    rotate,   // j - offset
    scale,    // j factor + offset
    divide,   // j / factor + offset
    repeat,   // j mod factor + offset
    reverse,  // offset - j
    swap,     // among parts of `factor` lanes, the one whose number differs in the bits of `offset`
    jumps,    // j factor + offset, and of each jump `by` ((j + shift) / period)
    none,     // none of these
  } kind = Kind::none;
  std::int64_t factor = 0;
  std::int64_t offset = 0;
  std::vector<Jump> jumps;

  bool operator==(const Way&) const = default;
};

Way way_of(const Lanes& lanes, std::int64_t count);

// Lanes from `first` up to `end`: the first `run` of every `step`.
struct Range {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  std::int64_t run = 1;

  bool operator==(const Range&) const = default;
};

// The lanes that are written; a step of 0: they are no range.
Range range_of(const Lanes& lanes);

}  // namespace tandem::compiler
