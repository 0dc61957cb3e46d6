// The layout of SMEM, in words. The program-dependent part comes after it.
#pragma once

#include <cstdint>

namespace tandem::compiler {

struct SmemLayout {
  std::int64_t arguments = 0;  // the argument block, there from the first bundle on
  std::int64_t boot = 0;       // the descriptor of the first copy
  std::int64_t scratch = 0;    // scalars in transit between memories
  // Word addresses in HBM: of each tensor in order, of the temporaries, of the constants.
  std::int64_t bases = 0;
  std::int64_t descriptors = 0;

  explicit SmemLayout(std::int64_t tensors)
      : boot(16 * tensors),
        scratch(boot + 16),
        bases(scratch + 16),
        descriptors((bases + tensors + 2 + 15) / 16 * 16) {}
};

}  // namespace tandem::compiler
