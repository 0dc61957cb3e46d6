// The neighbours of a device in a ring, as linear assembly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::compiler {

// A device's word of the table.
std::uint32_t ring_word(std::uint32_t place, std::uint32_t right_chip, std::uint32_t left_chip);

// Defines %place, and %right and %left: the bits of the neighbouring chips in a descriptor's first
// word. Without a table the place of a device is its number, out of this many; else it is in the
// table of one word per device at %`table` in HBM, which is copied to the word `row` of SMEM by the
// descriptor `copy`.
std::string ring_neighbours(std::uint32_t places, std::string_view table, std::uint32_t copy,
                            std::uint32_t row);

}  // namespace tandem::compiler
