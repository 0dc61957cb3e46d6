// Tokenizers of the Llama: text to tokens and back, and the handling of damaged files.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/llama/llama_tokenizer.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

using Pieces = std::vector<std::pair<std::string, float>>;
using Tokens = std::vector<std::int32_t>;
using Catch::Contains;

template <typename Number>
void append(std::vector<std::uint8_t>& file, Number value) {
  const std::size_t at = file.size();
  file.resize(at + sizeof value);
  std::memcpy(file.data() + at, &value, sizeof value);
}

std::vector<std::uint8_t> file_of(const Pieces& pieces, std::int32_t longest = 16) {
  std::vector<std::uint8_t> file;
  append(file, longest);
  for (const auto& [piece, score] : pieces) {
    append(file, score);
    append(file, static_cast<std::int32_t>(piece.size()));
    file.insert(file.end(), piece.begin(), piece.end());
  }
  return file;
}

LlamaTokenizer tokenizer_of(const Pieces& pieces) {
  return {file_of(pieces), static_cast<std::int32_t>(pieces.size())};
}

// 0 to 2 as always; then 3 ` `, 4 a, 5 b, 6 c, 7 ab, 8 bc, 9 ` ab`, 10 abc, 11 é
const Pieces some{{"<unk>", 0}, {"<s>", 0}, {"</s>", 0}, {" ", -9},   {"a", -9},   {"b", -9},
                  {"c", -9},    {"ab", -2}, {"bc", -1},  {" ab", -3}, {"abc", -4}, {"\u00e9", -9}};

std::string refusal(const std::vector<std::uint8_t>& file, std::int32_t vocabulary) {
  try {
    const LlamaTokenizer tokenizer(file, vocabulary);
  } catch (const LlamaError& error) {
    return error.message;
  }
  return "accepted";
}

std::string refusal(const LlamaTokenizer& tokenizer, const std::string& prompt, std::size_t most) {
  try {
    (void)tokenizer.tokens(prompt, most);
  } catch (const LlamaError& error) {
    return error.message;
  }
  return "accepted";
}

TEST_CASE("a tokenizer merges the pair with the best score first") {
  const LlamaTokenizer tokenizer = tokenizer_of(some);
  CHECK(tokenizer.tokens("", 9).empty());
  CHECK(tokenizer.tokens("ab", 9) == Tokens{9});
  CHECK(tokenizer.tokens("abc", 9) == Tokens{3, 10});  // bc first, then abc; never ` ab`
  CHECK(tokenizer.tokens("bab", 9) == Tokens{3, 5, 7});
  CHECK(tokenizer.tokens("\u00e9", 9) == Tokens{3, 11});
}

TEST_CASE("characters without a piece go byte by byte where there are pieces for bytes") {
  Pieces with_bytes = some;
  with_bytes.emplace_back("<0x7A>", 0);
  with_bytes.emplace_back("<0xC3>", 0);
  with_bytes.emplace_back("<0xA8>", 0);
  const LlamaTokenizer tokenizer = tokenizer_of(with_bytes);
  CHECK(tokenizer.tokens("z\u00e8", 9) == Tokens{3, 12, 13, 14});
  CHECK(tokenizer.text(0, 12) == "z");
  CHECK_THAT(refusal(tokenizer, "ay", 9), Contains("prompt, offset 1") && Contains("`y`"));
}

TEST_CASE("prompts with unknown bytes are refused by offset") {
  const LlamaTokenizer tokenizer = tokenizer_of(some);
  CHECK_THAT(refusal(tokenizer, "abz", 9), Contains("prompt, offset 2") && Contains("`z`"));
  CHECK_THAT(refusal(tokenizer, "a\xff", 9), Contains("offset 1") && Contains("0xff"));
  CHECK_THAT(refusal(tokenizer, "\xc3", 9), Contains("offset 0") && Contains("0xc3"));
  CHECK_THAT(refusal(tokenizer, "a\n", 9), Contains("offset 1") && Contains("0x0a"));
  CHECK_THAT(refusal(tokenizer, std::string("a\0b", 3), 9), Contains("0x00"));
}

TEST_CASE("prompts that do not fit are refused with both counts") {
  const LlamaTokenizer tokenizer = tokenizer_of(some);
  CHECK_THAT(refusal(tokenizer, "acacac", 6), Contains("7 tokens, at most 6 fit"));
  CHECK_THAT(refusal(tokenizer, std::string(1'000'000, 'a'), 200), Contains("at least"));
  CHECK(tokenizer.tokens("acacac", 7).size() == 7);
}

TEST_CASE("pieces come back as text") {
  const LlamaTokenizer tokenizer = tokenizer_of(some);
  CHECK(tokenizer.text(1, 9) == "ab");  // no blank begins a text
  CHECK(tokenizer.text(4, 9) == " ab");
  CHECK(tokenizer.text(4, 1).empty());
}

TEST_CASE("damaged tokenizers are refused with an offset") {
  const std::vector<std::uint8_t> good = file_of(some);
  const auto count = static_cast<std::int32_t>(some.size());
  REQUIRE(refusal(good, count) == "accepted");
  CHECK_THAT(refusal(good, count + 1), Contains(fmt::format("offset {}", good.size())));
  CHECK_THAT(refusal(good, count - 1), Contains("is it this checkpoint's tokenizer?"));
  CHECK_THAT(refusal(file_of({{"", 0}}), 1), Contains("offset 8: token 0 is said to have 0"));
  CHECK_THAT(refusal(file_of({{"abc", 0}}, 2), 1), Contains("the longest one 2"));
  CHECK_THAT(refusal(file_of({{"a", std::numeric_limits<float>::quiet_NaN()}}), 1),
             Contains("offset 4: the score of token 0 is not finite"));
}

TEST_CASE("a tokenizer cut off anywhere is refused") {
  const std::vector<std::uint8_t> good = file_of(some);
  for (std::size_t size = 0; size < good.size(); ++size) {
    INFO(size);
    CHECK_THAT(refusal({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)},
                       static_cast<std::int32_t>(some.size())),
               Contains("tokenizer, offset"));
  }
}

TEST_CASE("a tokenizer with random bytes changed is read or refused") {
  const std::vector<std::uint8_t> good = file_of(some);
  Generator random(3);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint8_t> file = good;
    for (int changes = random.integer(1, 4); changes > 0; --changes) {
      file[static_cast<std::size_t>(random.integer(0, static_cast<std::int32_t>(file.size())))] =
          static_cast<std::uint8_t>(random.next());
    }
    try {
      const LlamaTokenizer tokenizer(file, static_cast<std::int32_t>(some.size()));
      for (std::int32_t token = 0; token < 12; ++token) (void)tokenizer.text(1, token);
      (void)tokenizer.tokens("abc", 9);
    } catch (const LlamaError&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
  CHECK(refused < 2000);
}

TEST_CASE("the published tokenizer reads text as llama2.c does") {
  const std::string path = "../shared/data/llama/tok512.bin";
  if (!std::filesystem::exists(path)) {
    WARN("SKIPPED: no " << path);
    return;
  }
  const LlamaTokenizer tokenizer(read_bytes(path), 512);
  CHECK(tokenizer.tokens("Once upon a", 9) == Tokens{403, 407, 261});  // greedy_tokens.txt
  CHECK(tokenizer.tokens("\x01", 9).back() == 3 + 1);                  // byte 1, piece <0x01>
}

}  // namespace
}  // namespace tandem::test
