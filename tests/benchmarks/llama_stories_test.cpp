// The project's own model: it tells stories of its grammar, the same on every model and preset.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cli/files/files.hpp"
#include "llama/model/quality.hpp"
#include "llama/model/story.hpp"
#include "tests/benchmarks/kernel.hpp"
#include "tests/benchmarks/llama_support.hpp"

namespace tandem::test {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr std::uint64_t unseen_seed = 2'000'000'000;  // training and its validation stay below

const std::string folder = "llama/model/";

struct Model {
  Grammar grammar;
  LlamaCheckpoint checkpoint;
  LlamaTokenizer tokenizer;
};

const Model& model() {
  static const Model all = [] {
    LlamaCheckpoint checkpoint = parse_checkpoint(read_bytes(folder + "stories.bin"));
    const std::int32_t vocabulary = checkpoint.config.vocabulary;
    return Model{parse_grammar(read_text(folder + "stories.grammar")),
                 std::move(checkpoint),
                 {read_bytes(folder + "stories_tokenizer.bin"), vocabulary}};
  }();
  return all;
}

std::string text_of(const Tokens& tokens) { return model().tokenizer.text(tokens); }

TEST_CASE("the own model is as small as it says") {
  CHECK(read_bytes(folder + "stories.bin").size() <= std::size_t{1} << 20U);
  CHECK(model().checkpoint.config.vocabulary <= 512);
  CHECK(model().checkpoint.config.group() > 1);
}

TEST_CASE("stories go into tokens and come back, within the context") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string story = write_story(model().grammar, unseen_seed + seed);
    const Tokens tokens = model().tokenizer.tokens(story, 255);
    CHECK(text_of(tokens) == story);
  }
}

TEST_CASE("the own model tells a whole story on every preset") {
  for (const std::string_view preset : {"nano", "small", "edge", "full"}) {
    const std::string story = text_of(
        llama_tokens(model().checkpoint, {.limit = model().checkpoint.config.sequence}, preset));
    INFO(preset << ": " << story);
    CHECK(check_story(model().grammar, story).whole);
  }
}

// Percent of the continued sentences that parse.
double quality(std::uint64_t first_seed, std::uint64_t count) {
  const Image program = llama_image("small");
  StoryQuality sum;
  for (std::uint64_t i = 0; i < count; ++i) {
    add_case(model().grammar,
             continue_story(model().grammar, model().checkpoint, model().tokenizer, program,
                            first_seed + i),
             sum);
  }
  REQUIRE(sum.sentences >= 5 * count);
  return 100.0 * static_cast<double>(sum.parsed) / static_cast<double>(sum.sentences);
}

TEST_CASE("at least 95% of greedily continued sentences parse") {
  CHECK(quality(unseen_seed, 8) >= 95.0);
}

TEST_CASE("at least 95% of greedily continued sentences parse, over many stories", "[.nightly]") {
  CHECK(quality(unseen_seed, 400) >= 95.0);
}

// The tokens of this seed, drawn at temperature 1, the same on every model.
void check_seed(std::string_view preset, std::uint32_t seed, std::int32_t limit) {
  const LlamaJob job{.limit = limit, .temperature = 1, .seed = seed};
  const Tokens golden = llama_tokens(model().checkpoint, job, preset);
  INFO(preset << ", seed " << seed << ": " << text_of(golden));
  for (const char* on : {"cycle", "rtl", "lockstep"}) {
    Tokens tokens;
    REQUIRE_NOTHROW(tokens = llama_tokens(model().checkpoint, job, preset, on));
    CHECK(text_of(tokens) == text_of(golden));
  }
}

TEST_CASE("the own model tells 16 tokens in lockstep") {
  for (const std::string_view preset : lockstep_presets()) {
    if (preset != "small" && preset != "nano") continue;  // larger RTL is slow
    const LlamaJob job{.limit = 16};
    const Tokens golden = llama_tokens(model().checkpoint, job, preset);
    Tokens checked;
    REQUIRE_NOTHROW(checked = llama_tokens(model().checkpoint, job, preset, "lockstep"));
    CHECK(checked.size() == 16);
    CHECK(checked == golden);
  }
}

TEST_CASE("a seed draws the same text on every model") {
  for (const std::string_view preset : lockstep_presets()) {
    if (preset == "small") check_seed(preset, 1, 4);
  }
}

TEST_CASE("ten seeds draw the same stories on every model", "[.nightly]") {
  const std::int32_t limit = model().checkpoint.config.sequence;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) check_seed("small", seed, limit);
}

}  // namespace
}  // namespace tandem::test
