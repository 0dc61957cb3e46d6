// The deflate of traces, undone by zlib.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "sim/trace/trace_deflate.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

std::string round_trip(const std::string& text, std::vector<trace::Repeat> repeats = {}) {
  static trace::Deflater deflater;  // used again and again, as for blocks
  const std::string_view compressed = deflater.compress(text, repeats);
  std::string result(text.size() + 1, '\0');
  uLongf size = result.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(result.data()), &size,
                     reinterpret_cast<const Bytef*>(compressed.data()), compressed.size()) == Z_OK);
  result.resize(size);
  return result;
}

std::string noise(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

}  // namespace

TEST_CASE("bytes without any order survive") {
  for (std::size_t size = 0; size < 70; ++size) CHECK(round_trip(noise(size, 1)) == noise(size, 1));
  CHECK(round_trip(noise(300'000, 2)) == noise(300'000, 2));
}

TEST_CASE("matches of every length survive") {
  for (std::size_t length = 6; length < 530; ++length) {
    const std::string piece = noise(length, 3);
    const std::string text = piece + noise(40, 4) + piece + noise(9, 5) + piece;
    REQUIRE(round_trip(text) == text);
  }
}

TEST_CASE("matches at every distance that has a code of its own survive") {
  for (std::size_t distance = 1; distance < 40'000; distance += 1 + distance / 64) {
    const std::string period = noise(distance, 6);
    std::string text;
    while (text.size() < 2 * distance + 600) text += period;
    REQUIRE(round_trip(text) == text);
  }
}

TEST_CASE("a repetition takes few bytes") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "the same 40 bytes over and over again...";
  trace::Deflater deflater;
  const std::string_view compressed = deflater.compress(text, {});
  CHECK(round_trip(text) == text);
  CHECK(compressed.size() < text.size() / 70);
}

TEST_CASE("repeats that are told survive, whatever their length and what stands around them") {
  for (std::size_t length = 3; length < 800; ++length) {
    const std::string period = noise(50, 7);
    const std::string before = noise(13, 8);
    std::string repeated;
    while (repeated.size() < length) repeated += period;
    const std::string text = before + period + repeated.substr(0, length) + noise(9, 9) + period;
    REQUIRE(round_trip(text, {{before.size() + period.size(), length, period.size()}}) == text);
  }
}

TEST_CASE("a repeat that is told is not searched for") {
  const std::string period = noise(20'000, 10);
  const std::string text = period + period;
  const std::vector<trace::Repeat> repeats{{20'000, 20'000, 20'000}};
  trace::Deflater deflater;
  const std::string_view compressed = deflater.compress(text, repeats);
  CHECK(round_trip(text, repeats) == text);
  CHECK(compressed.size() < 9 * period.size() / 8 + 400);
}
