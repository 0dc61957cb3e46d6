#include "llama/model/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace tandem {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

// Names may be used before they are defined, so alternatives are kept as text until all are known.
class Parser {
 public:
  Grammar parse(std::string_view text) {
    for (const std::string& line : split_lines(text)) {
      ++line_;
      take_line(line);
    }
    for (std::size_t rule = 0; rule < rule_texts_.size(); ++rule) resolve_rule(rule);
    check_records();
    const auto story = rules_.find("story");
    if (story == rules_.end()) throw GrammarError{"there is no rule `story`"};
    grammar_.story = story->second;
    check_ends(grammar_.story, {});
    return std::move(grammar_);
  }

 private:
  struct Line {
    std::size_t number;
    std::string text;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw GrammarError{fmt::format("line {}: {}", line_, what)};
  }

  static std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
  }

  void take_line(const std::string& line) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') return;
    if (line.front() == ' ') return take_entry(content);
    in_list_ = content.starts_with("list ");
    if (in_list_) return begin_list(content.substr(5));
    if (!content.starts_with("rule ")) fail("expected `list` or `rule`");
    const std::string name(trimmed(content.substr(5)));
    if (!rules_.emplace(name, rule_texts_.size()).second) fail("a second rule " + name);
    rule_texts_.emplace_back();
    grammar_.rules.push_back({name, {}});
  }

  void begin_list(std::string_view content) {
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos) fail("expected `list NAME: FIELD | FIELD`");
    const std::string name(trimmed(content.substr(0, colon)));
    if (!lists_.emplace(name, grammar_.lists.size()).second) fail("a second list " + name);
    grammar_.lists.push_back({name, split(content.substr(colon + 1), '|'), {}});
  }

  void take_entry(std::string_view content) {
    if (in_list_) {
      WordList& list = grammar_.lists.back();
      list.records.push_back(split(content, '|'));
      if (list.records.back().size() != list.fields.size()) {
        fail(fmt::format("a record of `{}` has {} fields", list.name, list.fields.size()));
      }
    } else if (rule_texts_.empty()) {
      fail("an entry before the first list or rule");
    } else {
      rule_texts_.back().push_back({line_, std::string(content)});
    }
  }

  void resolve_rule(std::size_t rule) {
    for (const Line& line : rule_texts_[rule]) {
      line_ = line.number;
      grammar_.rules[rule].alternatives.push_back(resolve(line.text));
    }
    if (rule_texts_[rule].empty()) {
      throw GrammarError{fmt::format("rule `{}` is empty", grammar_.rules[rule].name)};
    }
  }

  [[nodiscard]] Alternative resolve(std::string_view text) const {
    Alternative parts;
    while (!text.empty()) {
      const std::size_t start = std::min(text.find_first_of("{<"), text.size());
      if (start != 0)
        parts.push_back(
            {.kind = GrammarPart::Kind::text, .text = std::string(text.substr(0, start))});
      text.remove_prefix(start);
      if (text.empty()) break;
      const std::size_t end = text.find(text.front() == '{' ? '}' : '>');
      if (end == std::string_view::npos) fail("a bracket is not closed");
      const std::string_view inside = text.substr(1, end - 1);
      parts.push_back(text.front() == '{' ? field_part(inside) : rule_part(inside));
      text.remove_prefix(end + 1);
    }
    return parts;
  }

  [[nodiscard]] GrammarPart rule_part(std::string_view name) const {
    const auto found = rules_.find(std::string(name));
    if (found == rules_.end()) fail(fmt::format("there is no rule `{}`", name));
    return {.kind = GrammarPart::Kind::rule, .index = found->second};
  }

  [[nodiscard]] GrammarPart field_part(std::string_view name) const {
    const bool capital = name.starts_with('^');
    if (capital) name.remove_prefix(1);
    const std::size_t dot = std::min(name.find('.'), name.size());
    const auto list = lists_.find(std::string(name.substr(0, dot)));
    if (list == lists_.end() || dot == name.size()) fail(fmt::format("no field `{}`", name));
    const std::vector<std::string>& fields = grammar_.lists[list->second].fields;
    const auto field = std::find(fields.begin(), fields.end(), name.substr(dot + 1));
    if (field == fields.end()) fail(fmt::format("no field `{}`", name));
    return {.kind = GrammarPart::Kind::field,
            .index = list->second,
            .field = static_cast<std::size_t>(field - fields.begin()),
            .capital = capital};
  }

  void check_records() const {
    for (const WordList& list : grammar_.lists) {
      if (list.records.empty()) throw GrammarError{fmt::format("list `{}` is empty", list.name)};
    }
  }

  void check_ends(std::size_t rule, std::set<std::size_t> above) const {
    if (!above.insert(rule).second) {
      throw GrammarError{fmt::format("rule `{}` leads back to itself", grammar_.rules[rule].name)};
    }
    for (const Alternative& alternative : grammar_.rules[rule].alternatives) {
      for (const GrammarPart& part : alternative) {
        if (part.kind == GrammarPart::Kind::rule) check_ends(part.index, above);
      }
    }
  }

  Grammar grammar_;
  std::map<std::string, std::size_t> lists_;
  std::map<std::string, std::size_t> rules_;
  std::vector<std::vector<Line>> rule_texts_;  // [rule]
  std::size_t line_ = 0;
  bool in_list_ = false;
};

// Stories with each set of lists used: a list counts once however often it is used.
using Counts = std::map<std::set<std::size_t>, double>;

Counts count_rule(const Grammar& grammar, std::size_t rule);

Counts count_alternative(const Grammar& grammar, const Alternative& alternative) {
  Counts counts{{{}, 1.0}};
  for (const GrammarPart& part : alternative) {
    if (part.kind == GrammarPart::Kind::text) continue;
    const Counts more = part.kind == GrammarPart::Kind::rule ? count_rule(grammar, part.index)
                                                             : Counts{{{part.index}, 1.0}};
    Counts product;
    for (const auto& [left, left_count] : counts) {
      for (const auto& [right, right_count] : more) {
        std::set<std::size_t> both = left;
        both.insert(right.begin(), right.end());
        product[both] += left_count * right_count;
      }
    }
    counts = std::move(product);
  }
  return counts;
}

Counts count_rule(const Grammar& grammar, std::size_t rule) {
  Counts sum;
  for (const Alternative& alternative : grammar.rules[rule].alternatives) {
    for (const auto& [lists, count] : count_alternative(grammar, alternative)) sum[lists] += count;
  }
  return sum;
}

}  // namespace

Grammar parse_grammar(std::string_view text) { return Parser().parse(text); }

std::string field_text(const Grammar& grammar, const GrammarPart& part, std::size_t record) {
  std::string text = grammar.lists[part.index].records[record][part.field];
  if (part.capital && !text.empty()) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  return text;
}

double count_stories(const Grammar& grammar) {
  double total = 0;
  for (const auto& [lists, count] : count_rule(grammar, grammar.story)) {
    double records = 1;
    for (const std::size_t list : lists) {
      records *= static_cast<double>(grammar.lists[list].records.size());
    }
    total += count * records;
  }
  return total;
}

}  // namespace tandem
