#include "llama/model/quality.hpp"

#include <fmt/format.h>

#include "cli/llama/llama_session.hpp"
#include "llama/model/story.hpp"

namespace tandem {
namespace {

std::string first_sentences(const std::string& story, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count; ++i) end = story.find('.', end) + 1;
  return story.substr(0, end);
}

// The prompt's tokens and what the program chose after them.
std::vector<std::int32_t> decode(LlamaSession& session, const std::vector<std::int32_t>& prompt) {
  constexpr std::uint64_t limit = 1'000'000'000;  // in bundles; a context of 256 takes 2 million
  const Outcome outcome = session.start({})->advance(limit);
  if (outcome != Outcome::halted) {
    throw LlamaError{fmt::format("the program did not halt: {}", outcome_name(outcome))};
  }
  std::vector<std::int32_t> tokens = session.tokens();
  std::copy(prompt.begin(), prompt.end(), tokens.begin());
  return tokens;
}

}  // namespace

QualityCase continue_story(const Grammar& grammar, const LlamaCheckpoint& checkpoint,
                           const LlamaTokenizer& tokenizer, const Image& program,
                           std::uint64_t seed) {
  const std::int32_t positions = checkpoint.config.sequence;
  QualityCase result;
  result.prompt = first_sentences(write_story(grammar, seed), 1 + seed % 3);
  const std::vector<std::int32_t> prompt =
      tokenizer.tokens(result.prompt, static_cast<std::size_t>(positions) - 1);
  const LlamaJob job{.limit = positions, .forced = prompt};
  runtime::DeviceOptions device;
  device.detect_races = false;
  device.detect_uninitialised = false;
  LlamaSession session(program, checkpoint, job, device);
  result.text = tokenizer.text(decode(session, prompt));
  return result;
}

void add_case(const Grammar& grammar, const QualityCase& story, StoryQuality& sum) {
  const StoryCheck given = check_story(grammar, story.prompt);
  const StoryCheck all = check_story(grammar, story.text);
  ++sum.stories;
  sum.whole += all.whole ? 1 : 0;
  sum.sentences += all.sentences - given.sentences;
  sum.parsed += all.parsed - given.parsed;
}

}  // namespace tandem
