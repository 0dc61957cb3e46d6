// A grammar of stories, as written in stories.grammar: lists of records and rules of alternatives.
// A story generator and a checker are both readers of this one structure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

// An error in a grammar; names the line.
struct GrammarError {
  std::string message;
};

// Items of one kind that a story may draw, each with the same named fields.
struct WordList {
  std::string name;
  std::vector<std::string> fields;
  std::vector<std::vector<std::string>> records;  // [record][field]
};

// A piece of an alternative.
struct GrammarPart {
  enum class Kind { text, field, rule };
  Kind kind = Kind::text;
  std::string text;       // Kind::text
  std::size_t index = 0;  // Kind::field: of the list; Kind::rule: of the rule
  std::size_t field = 0;
  bool capital = false;  // Kind::field: with a capital first letter
};

using Alternative = std::vector<GrammarPart>;

struct GrammarRule {
  std::string name;
  std::vector<Alternative> alternatives;
};

// Every index in a part is valid, every list has records, every rule has alternatives, and no rule
// leads back to itself, so that expansions end.
struct Grammar {
  std::vector<WordList> lists;
  std::vector<GrammarRule> rules;
  std::size_t story = 0;  // the rule to begin with
};

// Throws GrammarError.
Grammar parse_grammar(std::string_view text);

// A field of a record, spelled as by a part of that kind.
std::string field_text(const Grammar& grammar, const GrammarPart& part, std::size_t record);

// How many different choices of records and alternatives the grammar allows. Two choices may write
// the same story only when an alternative repeats another.
double count_stories(const Grammar& grammar);

}  // namespace tandem
