// Completions of the last word of a line.
#include <algorithm>
#include <array>
#include <set>

#include "cli/debug/command_table.hpp"

namespace tandem::debug {
namespace {

using Names = std::vector<std::string>;

void add_labels(Names& names, const Image& image) {
  for (const Label& label : image.labels) names.push_back(label.name);
}

Names locations(const Session& session) {
  Names names;
  const Image& image = session.source().image();
  add_labels(names, image);
  for (const std::string& file : image.source.files) names.push_back(file + ":");
  return names;
}

Names places(const Session& session) {
  Names names{"smem", "vmem", "hbm", "weights", "filling", "pc", "bundle", "cycle"};
  for (const PlacedTensor& placed : session.launch().tensors) names.push_back(placed.tensor.name);
  const Image& image = session.source().image();
  add_labels(names, image);
  for (const GivenName& given : image.given) names.push_back(given.name);
  return names;
}

Names types() { return {"hex", "u32", "s32", "f32", "bf16", "lo", "hi", "s8", "bit"}; }

Names command_names() {
  Names names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

// The kinds of arguments of a command.
Names words_after(std::string_view command, const Session& session) {
  if (command == "help") return command_names();
  if (command == "info") return info_topics();
  if (command == "goto") return {"start", "end", "cycle"};
  constexpr std::array<std::string_view, 6> with_location{"break",         "tbreak", "until",
                                                          "reverse-until", "list",   "disassemble"};
  constexpr std::array<std::string_view, 4> with_places{"print", "display", "watch", "assert"};
  const auto is_in = [command](const auto& list) {
    return std::find(list.begin(), list.end(), command) != list.end();
  };
  if (is_in(with_location)) return locations(session);
  if (is_in(with_places)) return places(session);
  return {};
}

// The full name for the typed text, or "".
std::string_view full_name(std::string_view word) {
  std::string_view found;
  for (const Command& command : commands()) {
    if (command.name == word || command.alias == word) return command.name;
    if (command.name.starts_with(word)) found = found.empty() ? command.name : "?";
  }
  return found;
}

}  // namespace

std::vector<std::string> Shell::completions(std::string_view line) const {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start != std::string_view::npos) line = line.substr(start);
  const std::size_t command_end = line.find_first_of(" \t/");
  const bool is_command = command_end == std::string_view::npos;
  const std::size_t word_start = is_command ? 0 : line.find_last_of(" \t/([,:+-*&|<>=!~.") + 1;
  const std::string_view word = line.substr(word_start);
  Names candidates;
  if (is_command) {
    candidates = command_names();
  } else if (line[word_start - 1] == '.' ||
             (line[command_end] == '/' && word_start == command_end + 1)) {
    candidates = types();
  } else if (line.find(" if ") != std::string_view::npos) {
    candidates = places(*session_);
  } else {
    candidates = words_after(full_name(line.substr(0, command_end)), *session_);
  }
  std::set<std::string> matching;
  for (std::string& candidate : candidates) {
    if (candidate.starts_with(word)) matching.insert(std::move(candidate));
  }
  return {matching.begin(), matching.end()};
}

}  // namespace tandem::debug
