#include <fmt/format.h>

#include <regex>
#include <vector>

#include "tests/mutants/compiler/mutations.hpp"

namespace tandem::mutants {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  for (std::size_t to = 0; (to = text.find('\n', from)) != std::string::npos; from = to + 1) {
    lines.push_back(text.substr(from, to - from));
  }
  return lines;
}

bool is_operation(const std::string& line) {
  return line.size() > 8 && line[8] != '.' && line.find(':') == std::string::npos &&
         line.find('#') == std::string::npos;
}

// One number of the line is another one.
bool add_to_number(std::string& line, const char* form, long by) {
  std::smatch found;
  if (!std::regex_search(line, found, std::regex(form))) return false;
  const auto at = static_cast<std::size_t>(found.position(1));
  const auto length = static_cast<std::size_t>(found.length(1));
  line.replace(at, length, std::to_string(std::stol(found.str(1)) + by));
  return true;
}

}  // namespace

std::optional<Mutation> mutate(std::string& assembly, std::mt19937& numbers) {
  std::vector<std::string> lines = lines_of(assembly);
  const auto start = static_cast<std::size_t>(
      std::find(lines.begin(), lines.end(), "        .text") - lines.begin());
  for (int attempt = 0; attempt < 2000 && start + 2 < lines.size(); ++attempt) {
    const std::size_t number = start + 1 + numbers() % (lines.size() - start - 2);
    std::string& line = lines[number];
    if (!is_operation(line)) continue;
    Mutation result{"", line};
    switch (numbers() % 6) {
      case 0:
        if (add_to_number(line, "v(?:ld|st) \\[(?:%\\w+ \\+ )?(\\d+)\\]", 1))
          result.kind = "address";
        break;
      case 1:
        if (add_to_number(line, "rows=([2-8])", -1)) result.kind = "rows";
        break;
      case 2:
        if (line.find(" wait ") != std::string::npos) {
          result.kind = "drop wait";
          line = "";
        }
        break;
      case 3:
        if (add_to_number(line, "s(?:ld|sti|st) \\[(\\d+)\\]", 1)) result.kind = "word of SMEM";
        break;
      case 4:
        if (add_to_number(line, "ssti \\[\\d+\\], (\\d+)", 1)) result.kind = "word of a descriptor";
        break;
      default:
        if (is_operation(lines[number + 1])) {
          std::swap(line, lines[number + 1]);
          result.kind = "order";
        }
    }
    if (result.kind.empty()) continue;
    assembly = fmt::format("{}\n", fmt::join(lines, "\n"));
    return result;
  }
  return std::nullopt;
}

}  // namespace tandem::mutants
