#include "isa/source_place.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {

const SourceLocation* find_source(const Image& image, std::uint32_t pc) {
  const auto after =
      std::upper_bound(image.lines.begin(), image.lines.end(), pc,
                       [](std::uint32_t wanted, const SourceLocation& l) { return wanted < l.pc; });
  if (after == image.lines.begin()) return nullptr;
  const SourceLocation& location = *(after - 1);
  const bool has_call = location.call_line != 0;
  if (location.file >= image.files.size()) return nullptr;
  return has_call && location.call_file >= image.files.size() ? nullptr : &location;
}

std::string source_line(const Image& image, std::uint32_t pc) {
  const SourceLocation* location = find_source(image, pc);
  if (location == nullptr) return {};
  return fmt::format("{}:{}", image.files[location->file], location->line);
}

std::string place_name(const Image& image, std::uint32_t pc) {
  const auto after =
      std::upper_bound(image.labels.begin(), image.labels.end(), pc,
                       [](std::uint32_t wanted, const Label& label) { return wanted < label.pc; });
  if (after == image.labels.begin()) return fmt::format("pc {}", pc);
  const Label& label = *(after - 1);
  return label.pc == pc ? label.name : fmt::format("{}+{}", label.name, pc - label.pc);
}

}  // namespace tandem
