// A linear scan over lines of text, until the assembler does this for `.linear`.
//
// A register lives from its first line to its last; one that a loop's body finds assigned and uses
// lives to the loop's end, for every turn needs it.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "compiler/asm/emit.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {
namespace {

struct Life {
  std::string name;
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<std::size_t> lines;
};

struct File {
  char letter;
  unsigned first;
  unsigned count;
};
// Register 0 of scalars, predicates and masks is a constant.
constexpr std::array<File, 4> files{{{'s', 1, scalar_registers},
                                     {'v', 0, vector_registers},
                                     {'m', 1, mask_registers},
                                     {'p', 1, predicate_registers}}};

bool is_name(char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; }

// Calls take(position, name) for every %name of a line.
template <typename Take>
void for_each_register(const std::string& line, Take take) {
  for (std::size_t at = line.find('%'); at != std::string::npos; at = line.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < line.size() && is_name(line[end])) ++end;
    take(at, line.substr(at, end - at));
  }
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Loop {
  std::size_t first = 0;
  std::size_t last = 0;
};

// Branches to labels above.
std::vector<Loop> loops_of(const std::vector<std::string>& lines) {
  std::map<std::string, std::size_t> labels;
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty() && lines[i].back() == ':') {
      labels[lines[i].substr(0, lines[i].size() - 1)] = i;
    }
    const std::size_t at = lines[i].find("br ");
    if (at == std::string::npos) continue;
    const auto label = labels.find(lines[i].substr(at + 3));
    if (label != labels.end()) loops.push_back({label->second, i});
  }
  return loops;
}

std::vector<Life> lives_of(const std::vector<std::string>& lines) {
  std::map<std::string, Life> lives;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for_each_register(lines[i], [&](std::size_t, const std::string& name) {
      Life& life = lives[name];
      if (life.name.empty()) life = {name, i, i, {}};
      life.last = i;
      life.lines.push_back(i);
    });
  }
  std::vector<Life> result;
  for (auto& [name, life] : lives) result.push_back(std::move(life));
  return result;
}

void extend(std::vector<Life>& lives, const std::vector<Loop>& loops) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Life& life : lives) {
      for (const Loop& loop : loops) {
        const bool enters = life.first < loop.first && life.last >= loop.first;
        if (enters && life.last < loop.last) {
          life.last = loop.last;
          changed = true;
        }
      }
    }
  }
}

}  // namespace

std::string assign_registers(const std::string& text, std::string& complaint) {
  std::vector<std::string> lines = split(text);
  std::vector<Life> lives = lives_of(lines);
  extend(lives, loops_of(lines));
  std::sort(lives.begin(), lives.end(),
            [](const Life& a, const Life& b) { return a.first < b.first; });
  std::map<std::string, std::string> assigned;
  for (const File& file : files) {
    std::vector<std::size_t> free_from(file.count, 0);
    for (const Life& life : lives) {
      if (life.name[1] != file.letter) continue;
      unsigned choice = file.first;
      // A register may be written in the line that reads its last value.
      while (choice < file.count && free_from[choice] > life.first) ++choice;
      if (choice == file.count) {
        complaint = fmt::format("more values at once than the {} registers `{}`",
                                file.count - file.first, file.letter);
        return {};
      }
      free_from[choice] = life.last == life.first ? life.last + 1 : life.last;
      assigned[life.name] = fmt::format("{}{}", file.letter, choice);
    }
  }
  std::string result;
  for (const std::string& line : lines) {
    std::size_t done = 0;
    for_each_register(line, [&](std::size_t at, const std::string& name) {
      result += line.substr(done, at - done) + assigned[name];
      done = at + name.size();
    });
    result += line.substr(done) + "\n";
  }
  return result;
}

}  // namespace tandem::compiler
