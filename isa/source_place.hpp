// Where a bundle stands in the source: its line, its label, and what people call it.
#pragma once

#include <cstdint>
#include <string>

#include "isa/image.hpp"

namespace tandem {

// The entry of the line table that covers a bundle, or nullptr when the image has none; its file
// (and its call_file, when call_line is not 0) are below image.files.size().
const SourceLocation* find_source(const Image& image, std::uint32_t pc);
// Source line of a bundle as "file:line", or "" when the image has no line table.
std::string source_line(const Image& image, std::uint32_t pc);
// The nearest label at or before a bundle with the distance to it: "loop", "loop+3"; "pc 7" when
// there is none.
std::string place_name(const Image& image, std::uint32_t pc);

}  // namespace tandem
