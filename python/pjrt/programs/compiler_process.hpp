// The compiler, an executable of its own: it needs MLIR, which the plugin shall not bring into
// other people's processes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python/pjrt/core/interrupts.hpp"

namespace tandem::pjrt {

// The executable: as asked for; else in a folder `bin` beside this library or above it, or beside
// it. Throws Failure when there is none.
std::string find_compiler(const std::string& asked);

// Changes whenever the executable does, or a function in assembly that comes with it.
std::string compiler_identity(const std::string& path);

// An ELF file for the preset and bytes of HBM, with the choices of a tuning cache where one is
// named, and at most `debug_bytes` for what it tells the host (0: it tells nothing). `links`:
// devices have them between each other. Throws Failure with what the compiler says: UNIMPLEMENTED
// or INVALID_ARGUMENT when the program cannot be compiled, RESOURCE_EXHAUSTED when what it takes
// and gives does not fit the HBM, INTERNAL when the compiler failed.
std::vector<std::uint8_t> run_compiler(const std::string& path, std::string_view artifact,
                                       const std::string& preset, std::uint64_t hbm_bytes,
                                       const std::string& tuning_cache, std::uint64_t debug_bytes,
                                       bool links, const Interrupt& interrupt);

}  // namespace tandem::pjrt
