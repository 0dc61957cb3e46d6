#include "isa/text/source_place.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {

namespace {

// The last entry for a whole bundle at or before this one.
const SourceLocation* covering(const SourceTable& table, std::uint32_t pc) {
  auto after = std::upper_bound(
      table.lines.begin(), table.lines.end(), pc,
      [](std::uint32_t wanted, const SourceLocation& line) { return wanted < line.pc; });
  while (after != table.lines.begin()) {
    --after;
    if (after->slot == whole_bundle) return &*after;
  }
  return nullptr;
}

}  // namespace

const SourceFrame* find_source(const Image& image, std::uint32_t pc) {
  const SourceLocation* location = covering(image.source, pc);
  return location == nullptr ? nullptr : &image.source.frame(location->frame);
}

const SourceFrame* find_source(const Image& image, std::uint32_t pc, std::uint32_t slot) {
  const std::vector<SourceLocation>& lines = image.source.lines;
  const auto found =
      std::lower_bound(lines.begin(), lines.end(), pc,
                       [](const SourceLocation& line, std::uint32_t at) { return line.pc < at; });
  for (auto line = found; line != lines.end() && line->pc == pc; ++line) {
    if (line->slot == slot) return &image.source.frame(line->frame);
  }
  return find_source(image, pc);
}

std::string source_line(const Image& image, std::uint32_t pc) {
  const SourceFrame* frame = find_source(image, pc);
  return frame == nullptr ? std::string() : image.source.place_text(*frame);
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
