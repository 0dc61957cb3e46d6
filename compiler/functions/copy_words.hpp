// Lines of linear assembly that start copies and wait for them, and the words of their descriptors
// (isa/descriptor.def). %smem is the first of the words of SMEM that a kernel has; `word` and
// `descriptor` count from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/descriptor.hpp"

namespace tandem::compiler {

inline constexpr std::uint32_t own_flag = 31;  // of copies that one wait covers

// The first word of a copy within the chip.
std::uint32_t local_word(MemorySpace from, MemorySpace to, std::uint32_t flag);
// Of one to another chip, which adds to a flag there.
std::uint32_t remote_word(MemorySpace from, MemorySpace to, std::uint32_t flag, std::uint32_t chip);
// The second word of such a copy: it adds 1 there, and this amount to a flag here when its source
// has been read.
std::uint32_t remote_amounts(std::uint32_t amount_here, std::uint32_t flag_here = own_flag);

// A word of SMEM := a number.
std::string store(std::uint32_t word, std::uint64_t value);
// A descriptor of one run of this many bytes.
std::string one_run(std::uint32_t descriptor, std::uint64_t bytes);
// All of a descriptor but its first word: the second one as given, no length, both addresses 0.
// Kernels share these words, so what another one left there is overwritten.
std::string empty_descriptor(std::uint32_t descriptor, std::uint32_t amounts);
// Waits for 1, and clears the flag.
std::string wait_once(std::uint32_t flag);
// Copies a row of a table of words at %`table` in HBM, one row a chip, to `row` in SMEM by the
// descriptor `copy`, and waits for it. Defines %chip.
std::string bring_row(std::string_view table, std::uint32_t words, std::uint32_t copy,
                      std::uint32_t row);

}  // namespace tandem::compiler
