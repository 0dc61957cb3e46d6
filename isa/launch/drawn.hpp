// What tensors hold in runs of ours: reals in [-1, 1), integers from 0 to 7, truth values.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// One element as the machine has it; equal on every host, which distributions of the library are
// not.
std::uint64_t drawn_element(ElementType type, std::mt19937& numbers);

// So many elements, one behind the other. `short_reals`: of at most eight significant bits, which
// no rounding of operands changes.
std::vector<std::uint8_t> drawn_elements(ElementType type, std::int64_t count, unsigned seed,
                                         bool short_reals = false);

}  // namespace tandem
