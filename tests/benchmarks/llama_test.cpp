// The Llama: small invented checkpoints against double precision, and the published one, where it
// is at hand, against its 346 reference tokens.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/files/files.hpp"
#include "cli/llama/llama_tokenizer.hpp"
#include "tests/benchmarks/kernel.hpp"
#include "tests/benchmarks/llama_reference.hpp"
#include "tests/benchmarks/llama_support.hpp"

namespace tandem::test {
namespace {

const std::filesystem::path data_folder = "../shared/data/llama";

// Largest difference of a logit from the reference over `count` forced positions, relative to the
// largest logit.
double logit_error(const char* program, const LlamaCheckpoint& checkpoint, std::string_view preset,
                   std::int32_t count) {
  Generator random(5);
  std::vector<std::int32_t> forced(static_cast<std::size_t>(count));
  for (std::int32_t& token : forced) token = random.integer(2, checkpoint.config.vocabulary);
  const DecodedLlama decoded(preset, checkpoint,
                             {.limit = count, .forced = forced, .logit_rows = count}, "golden",
                             program);
  LlamaReference reference(checkpoint);
  double error = 0;
  double largest = 0;
  std::int32_t token = LlamaTokenizer::begin_token;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::vector<double> expected = reference.next(token);
    const std::vector<float> got = decoded.session.logits(i);
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
  const char* program = GENERATE(from_range(llama_programs));
  for (const auto& header : headers) {
    const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
    for (const std::string_view preset : {"small", "edge", "full"}) {
      INFO(fmt::format("{}: dim {} hidden {} on {}", program, header[0], header[1], preset));
      // bf16 weights, keys and values: 2^-8 each, added up over the layers
      double error = 1;
      REQUIRE_NOTHROW(error = logit_error(program, checkpoint, preset, header[6]));
      CHECK(error < 0.02);
    }
  }
}

TEST_CASE("the Llama streams weights that do not fit VMEM") {
  const char* program = GENERATE(from_range(llama_programs));
  const auto check = [&](const std::vector<std::int32_t>& header, std::string_view preset) {
    const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
    const auto weights =
        llama_tensors(checkpoint, {.limit = 1}, *find_preset(preset)).at("weights");
    CHECK(weights.bytes.size() > find_preset(preset)->vmem_bytes);
    double error = 1;
    REQUIRE_NOTHROW(error = logit_error(program, checkpoint, preset, header[6]));
    CHECK(error < 0.02);
  };
  check({32, 96, 3, 2, 2, 64, 16}, "nano");
  check({144, 800, 3, 4, 4, 40, 10}, "small");
}

TEST_CASE("the Llama runs at nano where the model fits") {
  const char* program = GENERATE(from_range(llama_programs));
  const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file({16, 40, 2, 4, 2, 30, 20}));
  double error = 1;
  REQUIRE_NOTHROW(error = logit_error(program, checkpoint, "nano", 20));
  CHECK(error < 0.02);
}

TEST_CASE("the Llama runs in lockstep with weights in VMEM and streamed") {
  const char* program = GENERATE(from_range(llama_programs));
  for (const std::string_view preset : lockstep_presets()) {
    for (const auto& header : std::vector<std::vector<std::int32_t>>{{16, 40, 2, 4, 2, 30, 20},
                                                                     {32, 96, 3, 2, 2, 64, 16}}) {
      const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file(header));
      INFO(preset);
      CHECK_NOTHROW(llama_tokens(checkpoint, {.limit = 3}, preset, "lockstep", program));
    }
  }
}

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> file, std::size_t offset,
                                  std::uint32_t word) {
  std::memcpy(file.data() + offset, &word, sizeof word);
  return file;
}

TEST_CASE("damaged checkpoints are refused with a reason") {
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
}

TEST_CASE("a checkpoint cut off anywhere is refused") {
  const std::vector<std::uint8_t> good = invented_file({4, 3, 1, 2, 1, -5, 3});
  REQUIRE_NOTHROW(parse_checkpoint(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    INFO(size);
    CHECK_THROWS_AS(parse_checkpoint({good.data(), size}), LlamaError);
  }
}

TEST_CASE("a checkpoint with random bytes changed is read or refused") {
  const std::vector<std::uint8_t> good = invented_file({4, 3, 1, 2, 1, -5, 3});
  Generator random(4);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::uint8_t> file = good;
    // half of the changes in the header, which the sizes come from
    const auto end = static_cast<std::int32_t>(i % 2 == 0 ? 28 : file.size());
    for (int changes = random.integer(1, 4); changes > 0; --changes) {
      file[static_cast<std::size_t>(random.integer(0, end))] =
          static_cast<std::uint8_t>(random.next());
    }
    try {
      const LlamaCheckpoint model = parse_checkpoint(file);
      (void)llama_tensors(model, {.limit = 1}, *find_preset("small"));
    } catch (const LlamaError&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
  CHECK(refused < 4000);
}

TEST_CASE("the Llama traps when weights and sizes do not belong together") {
  const char* program = GENERATE(from_range(llama_programs));
  const LlamaCheckpoint checkpoint = parse_checkpoint(invented_file({16, 40, 1, 2, 2, 30, 20}));
  const auto trap_with = [&](std::string_view preset, const std::string& tensor,
                             const TensorData& data) {
    Tensors tensors = llama_tensors(checkpoint, {.limit = 4}, *find_preset(preset));
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
  WARN("SKIPPED: no checkpoint in " << data_folder.string());
  return false;
}

std::vector<std::int32_t> decode(const char* program, std::string_view preset,
                                 std::string_view model, std::int32_t limit,
                                 std::span<const std::int32_t> forced = {}) {
  const LlamaCheckpoint checkpoint = parse_checkpoint(published("stories260K.bin"));
  return llama_tokens(checkpoint, {.limit = limit, .forced = forced}, preset, model, program);
}

TEST_CASE("the published Llama decodes the reference tokens on the golden model") {
  if (!at_hand()) return;
  const char* program = GENERATE(from_range(llama_programs));
  const std::vector<std::int32_t> expected = reference_tokens();
  REQUIRE(expected.size() == 346);
  for (const std::string_view preset : {"small", "edge", "full"}) {
    CHECK(decode(program, preset, "golden", 512) == expected);
  }
  const std::vector<std::int32_t> forced = decode(program, "small", "golden", 346, expected);
  REQUIRE(forced.size() == expected.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < forced.size(); ++i) same += forced[i] == expected[i] ? 1 : 0;
  CHECK(same >= 344);
}

TEST_CASE("the published Llama decodes 16 tokens in lockstep") {
  if (!at_hand() || lockstep_presets().empty()) return;
  const char* program = GENERATE(from_range(llama_programs));
  const std::vector<std::int32_t> all = reference_tokens();
  for (const std::string_view preset : lockstep_presets()) {
    if (preset == "nano") continue;  // the model does not fit
    CHECK(decode(program, preset, "lockstep", 16) ==
          std::vector<std::int32_t>(all.begin(), all.begin() + 16));
  }
}

TEST_CASE("the published Llama decodes all tokens in lockstep", "[.nightly]") {
  if (!at_hand() || lockstep_presets().empty()) return;
  const char* program = GENERATE(from_range(llama_programs));
  CHECK(decode(program, "small", "lockstep", 512) == reference_tokens());
}

}  // namespace
}  // namespace tandem::test
