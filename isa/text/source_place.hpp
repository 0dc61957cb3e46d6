// The position of a bundle in the source: its line, its label, and its name for people.
#pragma once

#include <cstdint>
#include <string>

#include "isa/image.hpp"

namespace tandem {

// The entry of the line table that covers a bundle, or nullptr when the image has none.
const SourceFrame* find_source(const Image& image, std::uint32_t pc);
// The same for the operation in one of its slots, which scheduling may have moved from elsewhere.
const SourceFrame* find_source(const Image& image, std::uint32_t pc, std::uint32_t slot);
// Source line of a bundle as "file:line", or "" when the image has no line table.
std::string source_line(const Image& image, std::uint32_t pc);
// The nearest label at or before a bundle with the distance to it: "loop", "loop+3"; "pc 7" when
// there is none.
std::string place_name(const Image& image, std::uint32_t pc);

}  // namespace tandem
