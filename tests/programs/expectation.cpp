#include "tests/programs/expectation.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

#include "isa/text/text.hpp"
#include "tests/programs/evaluate.hpp"

namespace tandem::directed {
namespace {

struct Line {
  std::uint32_t number;
  std::string text;  // after "expect:"
};

[[noreturn]] void refuse(const Line& line, const std::string& why) {
  throw ExpectationError(fmt::format("line {}: `{}`: {}", line.number, line.text, why));
}

std::vector<Line> marked_lines(const std::string& text, const std::string& mark) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(stream, line); ++number) {
    if (line.rfind(mark, 0) == 0) lines.push_back({number, line.substr(mark.size())});
  }
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Splits at commas outside brackets.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += static_cast<int>(c == '(') - static_cast<int>(c == ')');
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

TrapCause cause_named(const Line& line, const std::string& name) {
  for (int cause = 1; cause <= static_cast<int>(TrapCause::machine_check); ++cause) {
    if (trap_name(static_cast<TrapCause>(cause)) == name) return static_cast<TrapCause>(cause);
  }
  refuse(line, "no such cause");
}

Slot slot_named(const Line& line, const std::string& name) {
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (slot_layouts[slot].name == name) return static_cast<Slot>(slot);
  }
  refuse(line, "no such slot");
}

// trap <cause> <slot> <detail> pc <expression>
void read_trap(const Line& line, const std::vector<std::string>& words, const Evaluator& evaluate,
               Expectation& result) {
  if (words.size() != 6 || words[4] != "pc") refuse(line, "trap <cause> <slot> <detail> pc <pc>");
  const std::vector<std::uint32_t> numbers = evaluate({{{}, words[3]}, {{}, words[5]}});
  result.outcome = Outcome::trapped;
  result.trap = {cause_named(line, words[1]), slot_named(line, words[2]), numbers[0]};
  result.pc = numbers[1];
}

// race pc <expression>, uninitialised pc <expression>, limit. False when it is none of them.
bool read_outcome(const Line& line, const Evaluator& evaluate, Expectation& result) {
  const std::vector<std::string> words = words_of(line.text);
  if (words.empty()) refuse(line, "nothing is expected");
  if (words[0] == "trap") {
    read_trap(line, words, evaluate, result);
  } else if (words[0] == "race" || words[0] == "uninitialised") {
    if (words.size() != 3 || words[1] != "pc") refuse(line, words[0] + " pc <pc>");
    result.outcome = words[0] == "race" ? Outcome::race : Outcome::uninitialised;
    result.pc = evaluate({{{}, words[2]}})[0];
  } else if (words[0] == "limit") {
    result.outcome = Outcome::running;
  } else {
    return false;
  }
  return true;
}

struct Target {
  Place place = Place::s;
  std::string number;  // of the register; empty for memories
  std::string index;   // first bracket; empty when absent
  std::string lane;    // second bracket
  std::vector<std::string> values;
};

bool has_rows(Place place) { return place == Place::v || place == Place::a || place == Place::m; }
bool has_lanes(Place place) { return has_rows(place) || place == Place::vmem; }

Place place_named(const Line& line, const std::string& name) {
  constexpr std::array<std::string_view, 9> names{"s", "p",    "f",    "v",  "a",
                                                  "m", "vmem", "smem", "hbm"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Place>(i);
  }
  refuse(line, "no such place");
}

Target parse_target(const Line& line) {
  static const std::regex form(
      R"(\s*([a-z]+)(\d*)\s*(?:\[([^\]]*)\])?\s*(?:\[([^\]]*)\])?\s*=([^=].*))");
  std::smatch match;
  if (!std::regex_match(line.text, match, form)) refuse(line, "not an expectation");
  Target target{place_named(line, match[1]), match[2], match[3], match[4], items_of(match[5])};
  const bool is_memory = target.place >= Place::vmem;
  if (is_memory != target.number.empty() || (is_memory && target.index.empty())) {
    refuse(line, "a register has a number, a memory an index");
  }
  if (!is_memory && !has_rows(target.place) && !target.index.empty()) {
    refuse(line, "this register has no elements");
  }
  return target;
}

bool mentions(const std::string& text, const char* name) {
  return std::regex_search(text, std::regex(fmt::format("\\b{}\\b", name)));
}

// The cases of r and j that a line covers, each with index, lane and value expression.
void unfold(const Target& target, std::uint32_t lanes, std::vector<Query>& queries) {
  const bool all_rows =
      (has_rows(target.place) && target.index.empty()) || mentions(target.index, "r");
  const bool all_lanes =
      has_lanes(target.place) && (target.lane.empty() || mentions(target.lane, "j"));
  const bool words = !has_lanes(target.place) && target.values.size() > 1;
  const std::uint32_t columns = all_lanes ? lanes : words ? target.values.size() : 1;
  const std::string row = target.index.empty() ? "r" : "(" + target.index + ")";
  const std::string step = target.place == Place::hbm ? "4 * j" : "j";
  for (std::uint32_t r = 0; r < (all_rows ? sublanes : 1); ++r) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      const RowAndLane at{r, j};
      std::string index = row;
      if (has_rows(target.place)) index = target.number + " * 8 + " + row;
      if (!target.number.empty() && !has_rows(target.place)) index = target.number;
      if (words) index += " + " + step;
      queries.push_back({at, index});
      queries.push_back({at, all_lanes && target.lane.empty() ? "j"
                             : target.lane.empty()            ? "0"
                                                              : target.lane});
      queries.push_back({at, target.values[j % target.values.size()]});
    }
  }
}

void read_words(const std::vector<Line>& lines, std::uint32_t lanes, const Evaluator& evaluate,
                Expectation& result) {
  std::vector<Query> queries;
  for (const Line& line : lines) {
    const Target target = parse_target(line);
    unfold(target, lanes, queries);
    result.words.resize(queries.size() / 3, {target.place, 0, 0, 0, line.number});
  }
  const std::vector<std::uint32_t> numbers = evaluate(queries);
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    result.words[i].index = numbers[3 * i];
    result.words[i].lane = numbers[3 * i + 1];
    result.words[i].value = numbers[3 * i + 2];
  }
}

}  // namespace

Expectation read_expectation(const SourceText& source, const Object& program) {
  const Evaluator evaluate(program);
  Expectation result;
  for (const Line& line : marked_lines(source.text, "# limit:")) {
    result.limit = evaluate({{{}, line.text}})[0];
  }
  std::vector<Line> values;
  for (const Line& line : marked_lines(source.text, "# expect:")) {
    if (!read_outcome(line, evaluate, result)) values.push_back(line);
  }
  read_words(values, program.preset->lanes, evaluate, result);
  const bool is_finding =
      result.outcome == Outcome::race || result.outcome == Outcome::uninitialised;
  if (result.words.empty() && result.outcome == Outcome::halted) {
    throw ExpectationError("the header expects nothing");
  }
  if (is_finding && !result.words.empty()) {
    throw ExpectationError("a program that is reported has no final state to expect");
  }
  return result;
}

}  // namespace tandem::directed
