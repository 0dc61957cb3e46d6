#include "cli/debug/source_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "host/host_file.hpp"
#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem::debug {
namespace {

template <typename Integer>
std::optional<Integer> parse_number(std::string_view text) {
  Integer value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (text.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

bool names_file(const std::string& path, const std::string& wanted) {
  if (path == wanted) return true;
  return path.size() > wanted.size() && path.ends_with(wanted) &&
         path[path.size() - wanted.size() - 1] == '/';
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::string text;
  if (!read_file(path, text)) return lines;
  std::istringstream file(text);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

SourceMap::SourceMap(const Image& image, std::vector<std::string> folders)
    : image_(image), folders_(std::move(folders)) {
  own_.resize(image.text.size());
  outermost_.resize(image.text.size());
  for (std::uint32_t pc = 0; pc < own_.size(); ++pc) {
    const SourceFrame* here = find_source(image, pc);
    if (here == nullptr) continue;
    const SourceFrame& outermost = image.source.outermost(*here);
    own_[pc] = {here->file, here->line};
    outermost_[pc] = {outermost.file, outermost.line};
  }
}

std::string SourceMap::label_offset(std::uint32_t pc) const {
  const auto after =
      std::upper_bound(image_.labels.begin(), image_.labels.end(), pc,
                       [](std::uint32_t wanted, const Label& label) { return wanted < label.pc; });
  if (after == image_.labels.begin()) return {};
  const Label& label = *std::prev(after);
  return label.pc == pc ? label.name : fmt::format("{}+{}", label.name, pc - label.pc);
}

std::string SourceMap::place(std::uint32_t pc) const {
  std::string result = fmt::format("pc {}", pc);
  const std::string label = label_offset(pc);
  if (!label.empty()) result += fmt::format(" <{}>", label);
  const std::string location = pc < image_.text.size() ? source_location(image_, pc) : "";
  return location.empty() ? result : result + "  " + location;
}

std::string SourceMap::bundle(std::uint32_t pc) const {
  if (pc >= image_.text.size()) return "(past the last bundle)";
  return bundle_text(image_.text[pc],
                     [this](std::uint32_t target) { return label_at(image_, target); });
}

const std::vector<std::string>& SourceMap::lines_of(std::uint32_t file) const {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second;
  std::vector<std::string>& lines = texts_[file];
  if (file >= image_.source.files.size()) return lines;
  const std::filesystem::path path(image_.source.files[file]);
  lines = read_lines(path);
  for (const std::string& folder : folders_) {
    if (lines.empty()) lines = read_lines(std::filesystem::path(folder) / path);
    if (lines.empty()) lines = read_lines(std::filesystem::path(folder) / path.filename());
  }
  return lines;
}

std::optional<std::string> SourceMap::text(const SourceLine& line) const {
  const std::vector<std::string>& lines = lines_of(line.file);
  if (!line || line.line > lines.size()) return std::nullopt;
  return lines[line.line - 1];
}

std::uint32_t SourceMap::line_count(std::uint32_t file) const {
  return static_cast<std::uint32_t>(lines_of(file).size());
}

std::optional<SourceLine> SourceMap::parse_line(const std::string& location,
                                                std::uint32_t here) const {
  const std::size_t colon = location.rfind(':');
  const auto number = parse_number<std::uint32_t>(
      std::string_view(location).substr(colon == std::string::npos ? 0 : colon + 1));
  if (!number || *number == 0) return std::nullopt;
  if (colon == std::string::npos) {
    const SourceLine current = outermost(here);
    if (!current) throw UserError{message::no_line_table_but_bundles};
    return SourceLine{current.file, *number};
  }
  const std::string name = location.substr(0, colon);
  for (std::uint32_t file = 0; file < image_.source.files.size(); ++file) {
    if (names_file(image_.source.files[file], name)) return SourceLine{file, *number};
  }
  throw UserError{fmt::format(message::no_source_file, name, fmt::join(image_.source.files, ", "))};
}

// The first bundle of each stretch that comes from the line, whether written there or in a macro
// called there.
std::vector<std::uint32_t> SourceMap::bundles_of(const SourceLine& line) const {
  std::vector<std::uint32_t> found;
  const auto starts = [&line](const Lines& lines, std::uint32_t pc) {
    return lines[pc] == line && (pc == 0 || lines[pc - 1] != line);
  };
  for (std::uint32_t pc = 0; pc < own_.size(); ++pc) {
    if (starts(own_, pc) || starts(outermost_, pc)) found.push_back(pc);
  }
  return found;
}

SourceLine SourceMap::next_with_bundles(const SourceLine& line) const {
  SourceLine best{};
  for (const Lines* lines : {&own_, &outermost_}) {
    for (const SourceLine& candidate : *lines) {
      if (candidate.file != line.file || candidate.line < line.line) continue;
      if (!best || candidate.line < best.line) best = candidate;
    }
  }
  return best;
}

std::vector<std::uint32_t> SourceMap::find(const std::string& location, std::uint32_t here) const {
  if (location.starts_with('*')) {
    const auto pc = parse_number<std::uint32_t>(std::string_view(location).substr(1));
    if (pc && *pc < image_.text.size()) return {*pc};
    throw UserError{
        fmt::format(message::no_such_bundle, location.substr(1), image_.text.size() - 1)};
  }
  if (const auto line = parse_line(location, here)) {
    const SourceLine with_bundles = next_with_bundles(*line);
    if (with_bundles) return bundles_of(with_bundles);
    throw UserError{fmt::format(message::no_bundle_from, location)};
  }
  const std::size_t plus = location.find('+');
  const std::string name = location.substr(0, plus);
  const auto offset =
      plus == std::string::npos
          ? std::optional<std::uint32_t>(0)
          : parse_number<std::uint32_t>(std::string_view(location).substr(plus + 1));
  for (const Label& label : image_.labels) {
    if (label.name != name || !offset) continue;
    if (std::uint64_t{label.pc} + *offset < image_.text.size()) return {label.pc + *offset};
    throw UserError{fmt::format(message::behind_last_bundle, location)};
  }
  throw UserError{fmt::format(message::no_location, location)};
}

SourceLine SourceMap::find_line(const std::string& location, std::uint32_t here) const {
  if (!location.starts_with('*')) {
    if (const auto line = parse_line(location, here)) return *line;
  }
  return outermost(find(location, here).front());
}

}  // namespace tandem::debug
