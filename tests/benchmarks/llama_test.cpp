// The Llama: small invented checkpoints against double precision, and the published one, where it
// is at hand, against its 346 reference tokens.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "cli/files.hpp"
#include "cli/llama_session.hpp"
#include "cli/program.hpp"
#include "cli/user_error.hpp"
#include "cosim/runner.hpp"
#include "tests/benchmarks/kernel.hpp"
#include "tests/benchmarks/llama_reference.hpp"

namespace tandem::test {
namespace {

constexpr const char* program = "benchmarks/llama/llama.s";
const std::filesystem::path data_folder = "../shared/data/llama";
constexpr std::uint64_t step_limit = 2'000'000'000;

Image llama_image(std::string_view preset) {
  AssembleOptions options;
  options.preset = preset;
  try {
    return make_image(load_program({program}, options));
  } catch (const UserError& error) {
    throw std::runtime_error(error.message);
  }
}

// A checkpoint file of these sizes with random weights of a size that keeps the numbers sane.
std::vector<std::uint8_t> invented_file(const std::vector<std::int32_t>& header) {
  LlamaConfig c{header[0], header[1],           header[2], header[3],
                header[4], std::abs(header[5]), header[6], header[5] > 0};
  Generator random(static_cast<std::uint64_t>(std::accumulate(header.begin(), header.end(), 0)));
  std::vector<float> weights;
  const auto append = [&](std::int64_t count, double low, double high) {
    for (std::int64_t i = 0; i < count; ++i) {
      weights.push_back(static_cast<float>(random.real(low, high)));
    }
  };
  const std::int64_t dim = c.dim;
  const double range = 2.0 / std::sqrt(static_cast<double>(dim));
  append(c.vocabulary * dim, -1, 1);
  append(c.layers * dim, 0.5, 1.5);
  append(c.layers * (dim * dim + 2 * c.kv_dim() * dim + dim * dim), -range, range);
  append(c.layers * dim, 0.5, 1.5);
  append(3 * c.layers * dim * c.hidden, -range, range);
  append(dim, 0.5, 1.5);
  append(std::int64_t{c.sequence} * c.head_size(), 0, 0.001);
  if (!c.shared_classifier) append(c.vocabulary * dim, -1, 1);
  std::vector<std::uint8_t> file(4 * (header.size() + weights.size()));
  std::memcpy(file.data(), header.data(), 4 * header.size());
  std::memcpy(file.data() + 4 * header.size(), weights.data(), 4 * weights.size());
  return file;
}

// Largest difference of a logit from the reference over `count` forced positions, relative to the
// largest logit.
double logit_error(const LlamaCheckpoint& checkpoint, std::string_view preset, std::int32_t count) {
  Generator random(5);
  std::vector<std::int32_t> forced(static_cast<std::size_t>(count));
  for (std::int32_t& token : forced) token = random.integer(2, checkpoint.config.vocabulary);
  const LlamaSession session(llama_image(preset), checkpoint, {count, forced, count},
                             std::uint64_t{1} << 32U, 1);
  const auto runner = make_runner("golden", session.launch(), {});
  const Outcome outcome = runner->advance(step_limit);
  if (outcome != Outcome::halted) {
    throw std::runtime_error(fmt::format("{}, {}", outcome_name(outcome),
                                         runner->finding() ? runner->finding()->message : ""));
  }
  LlamaReference reference(checkpoint);
  double error = 0;
  double largest = 0;
  std::int32_t token = LlamaTokenizer::begin_token;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::vector<double> expected = reference.next(token);
    const std::vector<float> got = session.logits(runner->hbm(), i);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      error = std::max(error, std::fabs(double{got[j]} - expected[j]));
      largest = std::max(largest, std::fabs(expected[j]));
    }
    token = forced[static_cast<std::size_t>(i)];
  }
  return error / largest;
}

TEST_CASE("logits of the Llama agree with double precision for sizes of every kind") {
  // dim, hidden, layers, heads, key heads, vocabulary (negative: own classifier), positions
  const std::vector<std::vector<std::int32_t>> headers{
      {16, 40, 1, 2, 2, 30, 20},   {64, 100, 2, 8, 4, 70, 40}, {48, 130, 2, 6, 2, -90, 33},
      {96, 64, 1, 12, 12, 50, 24}, {40, 33, 3, 2, 1, -17, 18}, {144, 200, 1, 4, 4, 40, 10}};
  for (const auto& header : headers) {
    const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
    for (const std::string_view preset : {"small", "edge", "full"}) {
      INFO(fmt::format("dim {} hidden {} on {}", header[0], header[1], preset));
      // bf16 weights, keys and values: 2^-8 each, added up over the layers
      double error = 1;
      REQUIRE_NOTHROW(error = logit_error(checkpoint, preset, header[6]));
      CHECK(error < 0.02);
    }
  }
}

TEST_CASE("the Llama streams weights that do not fit VMEM") {
  const auto check = [](const std::vector<std::int32_t>& header, std::string_view preset) {
    const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
    const auto weights = llama_tensors(checkpoint, {1, {}, 1}, *find_preset(preset)).at("weights");
    CHECK(weights.bytes.size() > find_preset(preset)->vmem_bytes);
    double error = 1;
    REQUIRE_NOTHROW(error = logit_error(checkpoint, preset, header[6]));
    CHECK(error < 0.02);
  };
  check({32, 96, 3, 2, 2, 64, 16}, "nano");
  check({144, 800, 3, 4, 4, 40, 10}, "small");
}

TEST_CASE("the Llama runs at nano where the model fits") {
  const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file({16, 40, 2, 4, 2, 30, 20}));
  double error = 1;
  REQUIRE_NOTHROW(error = logit_error(checkpoint, "nano", 20));
  CHECK(error < 0.02);
}

TEST_CASE("the Llama runs in lockstep with weights in VMEM and streamed") {
  for (const std::string_view preset : lockstep_presets()) {
    for (const auto& header : std::vector<std::vector<std::int32_t>>{{16, 40, 2, 4, 2, 30, 20},
                                                                     {32, 96, 3, 2, 2, 64, 16}}) {
      const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
      const LlamaSession session(llama_image(preset), checkpoint, {3, {}, 1},
                                 std::uint64_t{1} << 32U, 1);
      const auto runner = make_runner("lockstep", session.launch(), {});
      const Outcome outcome = runner->advance(step_limit);
      INFO(preset << ": " << outcome_name(outcome) << " " << runner->explanation());
      CHECK(outcome == Outcome::halted);
    }
  }
}

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> file, std::size_t offset,
                                  std::uint32_t word) {
  std::memcpy(file.data() + offset, &word, sizeof word);
  return file;
}

TEST_CASE("damaged checkpoints and tokenizers are refused with a reason") {
  const std::vector<std::uint8_t> good = invented_file({16, 40, 1, 2, 2, 30, 20});
  REQUIRE_NOTHROW(parse_checkpoint(good));
  const auto reason = [](const std::vector<std::uint8_t>& file) {
    try {
      parse_checkpoint(file);
    } catch (const LlamaError& error) {
      return error.message;
    }
    return std::string("accepted");
  };
  using Catch::Contains;
  CHECK_THAT(reason({}), Contains("fewer than the header"));
  CHECK_THAT(reason({good.begin(), good.begin() + 100}), Contains("token_embedding needs"));
  CHECK_THAT(reason({good.begin(), good.end() - 4}), Contains("the file has"));
  CHECK_THAT(reason(changed(good, 0, 0)), Contains("offset 0: dim is 0"));
  CHECK_THAT(reason(changed(good, 8, 0x7fffffff)), Contains("n_layers"));
  CHECK_THAT(reason(changed(good, 8, 1U << 24U)), Contains("bytes"));
  CHECK_THAT(reason(changed(good, 12, 3)), Contains("not a multiple of n_heads"));
  CHECK_THAT(reason(changed(good, 16, 3)), Contains("not a multiple of n_kv_heads"));
  CHECK_THAT(reason(changed(good, 20, 0)), Contains("vocab_size"));
  CHECK_THAT(reason(changed(good, 20, 31)), !Contains("accepted"));
  CHECK_THAT(reason(changed(good, 28 + 40, 0x7fc00000)), Contains("offset 68: token_embedding"));

  const std::vector<std::uint8_t> two{4,   0, 0, 0, 0, 0, 0, 0, 1, 0,   0,  0,
                                      'a', 0, 0, 0, 0, 2, 0, 0, 0, ' ', 'b'};
  const LlamaTokenizer tokenizer(two, 2);
  CHECK(tokenizer.text(0, 0) == "a");
  const std::string byte_piece =
      std::string(4, '\0') + std::string(4, '\0') + std::string("\6\0\0\0", 4) + "<0x0A>";
  const std::vector<std::uint8_t> one_byte(byte_piece.begin(), byte_piece.end());
  CHECK(LlamaTokenizer(one_byte, 1).text(0, 0) == "\n");
  CHECK_THROWS_AS(LlamaTokenizer(two, 3), LlamaError);
  CHECK_THROWS_AS(LlamaTokenizer(two, 1), LlamaError);
  CHECK_THROWS_AS(LlamaTokenizer(changed(two, 8, 0x80000000), 2), LlamaError);
}

TEST_CASE("the Llama traps when weights and sizes do not belong together") {
  const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file({16, 40, 1, 2, 2, 30, 20}));
  const auto trap_with = [&](std::string_view preset, const std::string& tensor,
                             const TensorData& data) {
    Tensors tensors = llama_tensors(checkpoint, {4, {}, 1}, *find_preset(preset));
    tensors[tensor] = data;
    return trap_of_kernel(program, preset, tensors);
  };
  using Words = std::vector<std::int32_t>;
  const auto header = [](const Words& words) { return make_tensor({7}, words); };
  CHECK(trap_with("small", "config", header({16, 40, 1, 3, 2, 30, 20})) == 1);
  CHECK(trap_with("small", "config", header({16, 40, 2, 2, 2, 30, 20})) == 3);
  CHECK(trap_with("nano", "config", header({16, 40, 1, 2, 2, 30, 5000})) == 2);
}

std::vector<std::uint8_t> published(const char* name) {
  return read_bytes((data_folder / name).string());
}

std::vector<std::int32_t> reference_tokens() {
  std::ifstream file(data_folder / "greedy_tokens.txt");
  return {std::istream_iterator<std::int32_t>(file), {}};
}

bool at_hand() {
  if (std::filesystem::exists(data_folder / "stories260K.bin")) return true;
  WARN("skipped: no checkpoint in " << data_folder.string());
  return false;
}

std::vector<std::int32_t> decode(std::string_view preset, std::string_view model,
                                 std::int32_t limit, std::span<const std::int32_t> forced = {}) {
  const LlamaCheckpoint checkpoint = parse_checkpoint(published("stories260K.bin"));
  const LlamaSession session(llama_image(preset), checkpoint, {limit, forced, 1},
                             std::uint64_t{1} << 32U, 1);
  const auto runner = make_runner(model, session.launch(), {});
  const Outcome outcome = runner->advance(step_limit);
  INFO(outcome_name(outcome) << " " << runner->explanation());
  CHECK(outcome == Outcome::halted);
  return session.tokens(runner->hbm());
}

TEST_CASE("the published Llama decodes the reference tokens on the golden model") {
  if (!at_hand()) return;
  const std::vector<std::int32_t> expected = reference_tokens();
  REQUIRE(expected.size() == 346);
  for (const std::string_view preset : {"small", "edge", "full"}) {
    CHECK(decode(preset, "golden", 512) == expected);
  }
  const std::vector<std::int32_t> forced = decode("small", "golden", 346, expected);
  REQUIRE(forced.size() == expected.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < forced.size(); ++i) same += forced[i] == expected[i] ? 1 : 0;
  CHECK(same >= 344);
}

TEST_CASE("the published Llama decodes 16 tokens in lockstep") {
  if (!at_hand() || lockstep_presets().empty()) return;
  const std::vector<std::int32_t> all = reference_tokens();
  for (const std::string_view preset : lockstep_presets()) {
    if (preset == "nano") continue;  // the model does not fit
    CHECK(decode(preset, "lockstep", 16) ==
          std::vector<std::int32_t>(all.begin(), all.begin() + 16));
  }
}

TEST_CASE("the published Llama decodes all tokens in lockstep", "[.nightly]") {
  if (!at_hand() || lockstep_presets().empty()) return;
  CHECK(decode("small", "lockstep", 512) == reference_tokens());
}

}  // namespace
}  // namespace tandem::test
