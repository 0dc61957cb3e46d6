// How well a checkpoint writes the stories of a grammar, on the golden model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/llama/llama_checkpoint.hpp"
#include "cli/llama/llama_tokenizer.hpp"
#include "isa/image.hpp"
#include "llama/model/grammar.hpp"

namespace tandem {

// Sums over stories. Only the continuation counts; a sentence that does not parse spoils all that
// follow it in its story.
struct StoryQuality {
  std::size_t stories = 0;
  std::size_t whole = 0;      // parse from beginning to end
  std::size_t sentences = 0;  // continued
  std::size_t parsed = 0;     // of them, those that parse together with all before them
};

struct QualityCase {
  std::string prompt;  // the first one to three sentences of the story of the seed
  std::string text;    // the prompt and its greedy continuation
};

// `program` is llama/llama.s, built for the preset to use. Throws LlamaError,
// LaunchError.
QualityCase continue_story(const Grammar& grammar, const LlamaCheckpoint& checkpoint,
                           const LlamaTokenizer& tokenizer, const Image& program,
                           std::uint64_t seed);

void add_case(const Grammar& grammar, const QualityCase& story, StoryQuality& sum);

}  // namespace tandem
