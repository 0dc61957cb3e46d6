// The Verilated RTL for platforms. C++17, like the header it completes.
#pragma once

#include "sim/platform/tpu_core.hpp"

namespace tandem {

// A TpuCoreFactory. Throws TpuCoreError when this build does not contain the preset's RTL.
std::unique_ptr<TpuCore> make_rtl_core(const TpuCoreOptions& options, MemoryPort& memory);

}  // namespace tandem
