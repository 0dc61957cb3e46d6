// Refuses to compute on host floats without the machine's rounding rules.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "isa/numerics/flush_scope.hpp"

namespace tandem::numerics {

inline void require_flush_scope() {
  if (FlushScope::active()) return;
  std::fputs("internal: host arithmetic without a FlushScope on this thread\n", stderr);
  std::abort();
}

}  // namespace tandem::numerics
