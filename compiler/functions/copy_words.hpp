// Lines of linear assembly that start copies and wait for them, and the words of their descriptors
// (isa/descriptor.def). %smem is the first of the words of SMEM that a kernel has; `word` and
// `descriptor` count from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/descriptor.hpp"

namespace tandem::compiler {

inline constexpr std::uint32_t own_flag = 31;  // of copies that are waited for at once

// The first word of a copy within the chip.
std::uint32_t local_word(MemorySpace from, MemorySpace to, std::uint32_t flag);
// Of one to another chip, which adds to a flag there.
std::uint32_t remote_word(MemorySpace from, MemorySpace to, std::uint32_t flag, std::uint32_t chip);
// The second word of such a copy: it adds 1 there, and so much to a flag here when its source has
// been read.
std::uint32_t remote_amounts(std::uint32_t amount_here, std::uint32_t flag_here = own_flag);

// SMEM's word := a number.
std::string store(std::uint32_t word, std::uint64_t value);
// The descriptor is of one run of so many bytes.
std::string one_run(std::uint32_t descriptor, std::uint64_t bytes);
// All of a descriptor but its first word: the second one as given, no length, both addresses 0.
// Kernels share these words: what another one has left there goes.
std::string empty_descriptor(std::uint32_t descriptor, std::uint32_t amounts);
// Waits for 1, and clears the flag.
std::string wait_once(std::uint32_t flag);
// Copies a row of a table of words at %`table` in HBM, one row a chip, to `row` in SMEM by the
// descriptor `copy`, and waits for it. It gives %chip.
std::string bring_row(std::string_view table, std::uint32_t words, std::uint32_t copy,
                      std::uint32_t row);

}  // namespace tandem::compiler
