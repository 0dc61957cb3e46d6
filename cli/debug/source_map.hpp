// Names of bundles for people: labels, source lines, the text of those lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/image.hpp"

namespace tandem::debug {

// A line of a source file; none when the program has no line table.
struct SourceLine {
  std::uint32_t file = 0;  // index into Image::files
  std::uint32_t line = 0;  // 0: none
  explicit operator bool() const { return line != 0; }
  bool operator==(const SourceLine&) const = default;
};

class SourceMap {
 public:
  // Source files are searched for at the path in the program and in `folders`.
  SourceMap(const Image& image, std::vector<std::string> folders);

  // Where a bundle is written; `outermost` is the line that calls the macro it comes from, if any.
  [[nodiscard]] SourceLine line(std::uint32_t pc) const { return at(own_, pc); }
  [[nodiscard]] SourceLine outermost(std::uint32_t pc) const { return at(outermost_, pc); }
  // "loop+2"; "" without a label before.
  [[nodiscard]] std::string label_offset(std::uint32_t pc) const;
  // "pc 17 <loop+2>  kernel.s:40".
  [[nodiscard]] std::string place(std::uint32_t pc) const;
  // "{ s1 = add s1, 1 }" for the bundle, or the error in the PC.
  [[nodiscard]] std::string bundle(std::uint32_t pc) const;
  // The text of a line, or none when the file cannot be read or is shorter.
  [[nodiscard]] std::optional<std::string> text(const SourceLine& line) const;
  [[nodiscard]] std::uint32_t line_count(std::uint32_t file) const;

  // Bundles that a location names: "*17", "loop", "loop+2", "kernel.s:40", "40" (in the file of
  // `here`). A line without bundles means the next one with bundles. Throws UserError.
  [[nodiscard]] std::vector<std::uint32_t> find(const std::string& location,
                                                std::uint32_t here) const;
  // The line that a location names, for listings.
  [[nodiscard]] SourceLine find_line(const std::string& location, std::uint32_t here) const;

  [[nodiscard]] const Image& image() const { return image_; }

 private:
  using Lines = std::vector<SourceLine>;

  static SourceLine at(const Lines& lines, std::uint32_t pc) {
    return pc < lines.size() ? lines[pc] : SourceLine{};
  }
  [[nodiscard]] std::optional<SourceLine> parse_line(const std::string& location,
                                                     std::uint32_t here) const;
  [[nodiscard]] std::vector<std::uint32_t> bundles_of(const SourceLine& line) const;
  [[nodiscard]] SourceLine next_with_bundles(const SourceLine& line) const;
  [[nodiscard]] const std::vector<std::string>& lines_of(std::uint32_t file) const;

  const Image& image_;
  std::vector<std::string> folders_;
  Lines own_;  // by PC
  Lines outermost_;
  mutable std::map<std::uint32_t, std::vector<std::string>> texts_;  // files read so far
};

}  // namespace tandem::debug
