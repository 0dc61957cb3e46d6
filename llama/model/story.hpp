// Stories of a grammar: written from a seed, and parsed back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "llama/model/grammar.hpp"

namespace tandem {

// The story of this seed; the same everywhere.
std::string write_story(const Grammar& grammar, std::uint64_t seed);

// How far a text is a story. A sentence ends with a full stop.
struct StoryCheck {
  std::size_t sentences = 0;  // full stops in the text; words after the last one are not counted
  // The number of leading sentences that together begin some story of the grammar: names, things
  // and everything else that a story draws must be the same throughout.
  std::size_t parsed = 0;
  bool whole = false;  // the text is a story from beginning to end
};

StoryCheck check_story(const Grammar& grammar, std::string_view text);

}  // namespace tandem
