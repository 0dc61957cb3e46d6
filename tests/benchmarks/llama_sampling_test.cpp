// Drawing tokens at a temperature: the same draws as the definition, and the right frequencies.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/benchmarks/kernel.hpp"
#include "tests/benchmarks/llama_support.hpp"

namespace tandem::test {
namespace {

using Tokens = std::vector<std::int32_t>;

// The random numbers as llama/token.inc describes them, in (0, 1).
std::uint32_t hash(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x7feb352dU;
  x = (x ^ (x >> 15U)) * 0x846ca68bU;
  return x ^ (x >> 16U);
}

double uniform(std::uint32_t seed, std::uint32_t position, std::uint32_t token) {
  const std::uint32_t spread = 0x9e3779b9;
  const std::uint32_t x = hash(hash(seed + position * spread) + token * spread);
  return (static_cast<double>(x >> 9U) + 0.5) / static_cast<double>(1U << 23U);
}

// The draw from these logits, in double precision.
std::int32_t draw(const std::vector<float>& logits, double temperature, std::uint32_t seed,
                  std::uint32_t position) {
  std::int32_t best = 0;
  double best_score = -1e300;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double u = uniform(seed, position, static_cast<std::uint32_t>(i));
    const double score = double{logits[i]} / temperature - std::log(-std::log(u));
    if (score > best_score) best = static_cast<std::int32_t>(i);
    best_score = std::max(best_score, score);
  }
  return best;
}

// A model whose logits are the same at every position: all tokens have one embedding, and the layer
// adds nothing to it. Token 1, which ends a text, is as good as impossible.
LlamaCheckpoint constant_model(std::int32_t vocabulary, std::int32_t positions) {
  LlamaCheckpoint model =
      parse_checkpoint(invented_file({16, 16, 1, 2, 2, -vocabulary, positions}));
  for (std::size_t i = 16; i < model.embedding.size(); ++i) {
    model.embedding[i] = model.embedding[i % 16];
  }
  std::fill(model.wo.begin(), model.wo.end(), 0.0F);
  std::fill(model.w2.begin(), model.w2.end(), 0.0F);
  for (float& weight : model.own_classifier) weight *= 0.5F;
  for (std::size_t i = 0; i < 16; ++i) {
    model.own_classifier[16 + i] = model.embedding[i] > 0 ? -20.0F : 20.0F;
  }
  return model;
}

TEST_CASE("a drawn token is the one that the definition draws") {
  const char* program = GENERATE(from_range(llama_programs));
  const LlamaCheckpoint model = parse_checkpoint(invented_file({64, 100, 2, 8, 4, 70, 40}));
  for (const std::string_view preset : {"small", "edge", "full"}) {
    for (const float temperature : {0.5F, 1.0F, 3.0F}) {
      const LlamaJob job{
          .limit = 40, .forced = {}, .logit_rows = 40, .temperature = temperature, .seed = 77};
      const DecodedLlama decoded(preset, model, job, "golden", program);
      const Tokens tokens = decoded.session.tokens();
      REQUIRE(!tokens.empty());
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        INFO(preset << " at " << temperature << ", choice " << i);
        CHECK(tokens[i] == draw(decoded.session.logits(static_cast<std::int64_t>(i)),
                                double{temperature}, 77, static_cast<std::uint32_t>(i)));
      }
    }
  }
}

// Sum over tokens of (drawn - expected)^2 / expected.
double chi_square(const std::vector<float>& logits, double temperature, const Tokens& tokens) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(double{logit} / temperature);
  double result = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double expected =
        static_cast<double>(tokens.size()) * std::exp(double{logits[i]} / temperature) / sum;
    const auto drawn =
        static_cast<double>(std::count(tokens.begin(), tokens.end(), static_cast<std::int32_t>(i)));
    if (expected > 1e-6) result += (drawn - expected) * (drawn - expected) / expected;
  }
  return result;
}

TEST_CASE("drawn tokens are as frequent as the softmax says") {
  constexpr std::int32_t count = 1500;
  const LlamaCheckpoint model = constant_model(9, count);
  for (const float temperature : {0.7F, 1.5F}) {
    const LlamaJob job{.limit = count, .temperature = temperature, .seed = 5};
    const DecodedLlama decoded("small", model, job);
    const Tokens tokens = decoded.session.tokens();
    REQUIRE(tokens.size() == count);
    const std::vector<float> logits = decoded.session.logits(0);
    INFO("temperature " << temperature);
    CHECK(chi_square(logits, double{temperature}, tokens) < 24.3);  // 7 degrees, one in a thousand
    // The measure can fail: the same draws are not those of twice the temperature.
    CHECK(chi_square(logits, double{temperature} * 2, tokens) > 24.3);
  }
}

TEST_CASE("another seed draws other tokens, the same seed the same") {
  const LlamaCheckpoint model = constant_model(60, 64);
  const auto tokens = [&](float temperature, std::uint32_t seed) {
    return llama_tokens(model, {.limit = 64, .temperature = temperature, .seed = seed}, "small");
  };
  CHECK(tokens(1, 1) == tokens(1, 1));
  CHECK(tokens(1, 1) != tokens(1, 2));
  const Tokens greedy = tokens(0, 1);
  CHECK(greedy == tokens(0, 2));
  CHECK(greedy == Tokens(64, greedy.front()));
  CHECK(tokens(0.01F, 1) == greedy);  // so cold that noise does not matter
}

TEST_CASE("tokens drawn on the RTL are those drawn on the golden model") {
  const LlamaCheckpoint model = parse_checkpoint(invented_file({16, 40, 2, 4, 2, 30, 20}));
  for (const std::string_view preset : lockstep_presets()) {
    const LlamaJob job{.limit = 4, .temperature = 1.5F, .seed = 9};
    Tokens golden;
    REQUIRE_NOTHROW(golden = llama_tokens(model, job, preset));
    Tokens checked;
    REQUIRE_NOTHROW(checked = llama_tokens(model, job, preset, "lockstep"));
    CHECK(checked == golden);
  }
}

TEST_CASE("temperatures out of range are refused") {
  const LlamaCheckpoint model = parse_checkpoint(invented_file({16, 40, 1, 2, 2, 30, 20}));
  for (const float temperature : {-1.0F, 0.001F, 1000.0F, NAN, INFINITY}) {
    CHECK_THROWS_AS(
        llama_tensors(model, {.limit = 1, .temperature = temperature}, *find_preset("small")),
        LlamaError);
  }
}

}  // namespace
}  // namespace tandem::test
