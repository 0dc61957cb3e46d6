#include "llama/model/story.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tandem {
namespace {

// The record that a story has drawn from each list.
using Drawn = std::vector<std::optional<std::size_t>>;

// splitmix64, by Sebastiano Vigna (public domain): a state that counts, and a good mixer.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Below `count`, which is so small that the remainder's bias does not matter.
  std::size_t below(std::size_t count) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return (z ^ (z >> 31U)) % count;
  }

 private:
  std::uint64_t state_;
};

class Writer {
 public:
  Writer(const Grammar& grammar, std::uint64_t seed)
      : grammar_(grammar), random_(seed), drawn_(grammar.lists.size()) {}

  std::string story() {
    expand(grammar_.story);
    return std::move(text_);
  }

 private:
  void expand(std::size_t rule) {
    const auto& alternatives = grammar_.rules[rule].alternatives;
    for (const GrammarPart& part : alternatives[random_.below(alternatives.size())]) {
      switch (part.kind) {
        case GrammarPart::Kind::text: text_ += part.text; break;
        case GrammarPart::Kind::rule: expand(part.index); break;
        case GrammarPart::Kind::field: text_ += field_text(grammar_, part, record(part)); break;
      }
    }
  }

  std::size_t record(const GrammarPart& part) {
    std::optional<std::size_t>& drawn = drawn_[part.index];
    if (!drawn) drawn = random_.below(grammar_.lists[part.index].records.size());
    return *drawn;
  }

  const Grammar& grammar_;
  Random random_;
  Drawn drawn_;
  std::string text_;
};

// Parts still to be matched: the rest of an alternative, then what follows its rule.
struct Rest {
  const Alternative* parts;
  std::size_t at;
  const Rest* after;
};

// Tries every way to derive the text and remembers how far the best one got.
class Matcher {
 public:
  Matcher(const Grammar& grammar, std::string_view text)
      : grammar_(grammar), text_(text), drawn_(grammar.lists.size()) {}

  // The length of the longest prefix of the text that is a prefix of a story.
  std::size_t longest() {
    match_rule(grammar_.story, 0, nullptr);
    return longest_;
  }
  [[nodiscard]] bool whole() const { return whole_; }

 private:
  void match_rule(std::size_t rule, std::size_t from, const Rest* after) {
    for (const Alternative& alternative : grammar_.rules[rule].alternatives) {
      match({&alternative, 0, after}, from);
    }
  }

  void match(Rest rest, std::size_t from) {
    const Rest* next = &rest;
    while (next != nullptr && next->at == next->parts->size()) next = next->after;
    if (next == nullptr) {
      whole_ = whole_ || from == text_.size();
      return;
    }
    const GrammarPart& part = (*next->parts)[next->at];
    const Rest after{next->parts, next->at + 1, next->after};
    switch (part.kind) {
      case GrammarPart::Kind::text: return match_text(part.text, from, after);
      case GrammarPart::Kind::rule: return match_rule(part.index, from, &after);
      case GrammarPart::Kind::field: return match_field(part, from, after);
    }
  }

  void match_text(std::string_view expected, std::size_t from, const Rest& after) {
    const auto [end, _] =
        std::mismatch(expected.begin(), expected.end(), text_.begin() + from, text_.end());
    const auto same = static_cast<std::size_t>(end - expected.begin());
    longest_ = std::max(longest_, from + same);
    if (same == expected.size()) match(after, from + same);
  }

  void match_field(const GrammarPart& part, std::size_t from, const Rest& after) {
    std::optional<std::size_t>& drawn = drawn_[part.index];
    if (drawn) return match_text(field_text(grammar_, part, *drawn), from, after);
    for (std::size_t record = 0; record < grammar_.lists[part.index].records.size(); ++record) {
      drawn = record;
      match_text(field_text(grammar_, part, record), from, after);
    }
    drawn.reset();
  }

  const Grammar& grammar_;
  std::string_view text_;
  Drawn drawn_;
  std::size_t longest_ = 0;
  bool whole_ = false;
};

std::size_t full_stops(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '.'));
}

}  // namespace

std::string write_story(const Grammar& grammar, std::uint64_t seed) {
  return Writer(grammar, seed).story();
}

StoryCheck check_story(const Grammar& grammar, std::string_view text) {
  Matcher matcher(grammar, text);
  const std::size_t longest = matcher.longest();
  return {full_stops(text), full_stops(text.substr(0, longest)), matcher.whole()};
}

}  // namespace tandem
