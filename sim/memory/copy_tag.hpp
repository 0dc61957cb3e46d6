// The copy engine's record of a copy that a reader has begun, until it is complete.
#pragma once

#include <cstdint>

namespace tandem {

struct CopyTag {
  std::uint64_t sequence = 0;
  std::uint32_t flag = 0;
  std::uint32_t amount = 0;
  std::uint32_t ticket = 0;  // of the flag: copies complete in this order
  std::uint32_t flag_here = 0;
  std::uint32_t amount_here = 0;
  std::uint32_t ticket_here = 0;
  bool alone = false;
  bool counts = true;     // there is a flag
  bool leaves = false;    // to another chip
  bool at_start = false;  // a start has queued it
};

}  // namespace tandem
