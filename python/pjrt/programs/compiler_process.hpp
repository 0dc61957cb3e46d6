// The compiler, a separate executable: it needs MLIR, which the plugin must not load into users'
// processes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python/pjrt/core/interrupts.hpp"

namespace tandem::pjrt {

// The executable: as given; else in a folder `bin` beside this library or above it, or beside it.
// Throws Failure when there is none.
std::string find_compiler(const std::string& asked);

// Changes whenever the executable does, or a function in assembly that comes with it.
std::string compiler_identity(const std::string& path);

// An ELF file for the preset and bytes of HBM, with the choices of a tuning cache where one is
// named, and at most `debug_bytes` for its messages to the host (0: it has none). `links`: devices
// have them between each other. Throws Failure with the compiler's message: UNIMPLEMENTED or
// INVALID_ARGUMENT when the program cannot be compiled, RESOURCE_EXHAUSTED when its arguments and
// results do not fit the HBM, INTERNAL when the compiler failed.
std::vector<std::uint8_t> run_compiler(const std::string& path, std::string_view artifact,
                                       const std::string& preset, std::uint64_t hbm_bytes,
                                       const std::string& tuning_cache, std::uint64_t debug_bytes,
                                       bool links, const Interrupt& interrupt);

}  // namespace tandem::pjrt
