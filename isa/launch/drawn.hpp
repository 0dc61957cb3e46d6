// Tensor contents in our runs: reals in [-1, 1), integers from 0 to 7, truth values.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// One element in the machine's format; equal on every host, unlike the library's distributions.
std::uint64_t drawn_element(ElementType type, std::mt19937& numbers);

// This many consecutive elements. `short_reals`: with at most eight significant bits, which
// rounding of operands does not change.
std::vector<std::uint8_t> drawn_elements(ElementType type, std::int64_t count, unsigned seed,
                                         bool short_reals = false);

}  // namespace tandem
