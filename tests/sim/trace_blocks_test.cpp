// Packets gathered into compressed blocks.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>

#include "sim/trace/protobuf_reader.hpp"
#include "sim/trace/trace_blocks.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::size_t perfetto_limit = std::size_t{512} << 10U;  // of a compressed packet

struct File {
  std::string packets;  // of all blocks
  std::size_t blocks = 0;
  std::size_t largest = 0;  // compressed
};

// A reader's view of a written file.
File read(const std::string& bytes) {
  File file;
  for (protobuf::Reader reader(bytes); reader.next();) {
    protobuf::Reader block(reader.bytes());
    REQUIRE(block.next());
    std::string text(std::size_t{4} << 20U, '\0');
    uLongf size = text.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(block.bytes().data()),
                       block.bytes().size()) == Z_OK);
    file.packets.append(text, 0, size);
    file.largest = std::max(file.largest, block.bytes().size());
    ++file.blocks;
  }
  return file;
}

std::string noise(std::size_t size, std::uint32_t seed) {
  std::string text(size, '\0');
  for (char& c : text) c = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24U);
  return text;
}

}  // namespace

TEST_CASE("pieces that come again and again are read back, across blocks too") {
  std::string bytes;
  trace::Blocks blocks([&](std::string_view part) { bytes += part; });
  trace::Piece pieces[] = {{noise(100, 1)}, {noise(333, 2)}, {noise(7, 3)}, {noise(30'000, 4)}};
  std::string expected;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    trace::Piece& piece = pieces[i % 100 == 0 ? 3 : i % 3];
    blocks.add(piece);
    expected += piece.packets;
    if (i % 10 == 0) blocks.packets() += std::to_string(i);
    if (i % 10 == 0) expected += std::to_string(i);
    blocks.packets_added();
  }
  blocks.flush();
  CHECK(blocks.bytes_written() == bytes.size());
  const File file = read(bytes);
  CHECK(file.packets == expected);
  CHECK(file.blocks > 1);
}

TEST_CASE("a loop that goes on takes next to nothing") {
  std::string bytes;
  trace::Blocks blocks([&](std::string_view part) { bytes += part; });
  trace::Piece pieces[] = {{noise(100, 1)}, {noise(200, 2)}};
  for (int i = 0; i < 10'000; ++i) {
    blocks.add(pieces[i % 2]);
    blocks.packets_added();
  }
  blocks.flush();
  CHECK(read(bytes).packets.size() == 1'500'000);
  CHECK(bytes.size() < 1'500'000 / 80);
}

TEST_CASE("a compressed block stays below Perfetto's limit whatever is in it") {
  std::string bytes;
  trace::Blocks blocks([&](std::string_view part) { bytes += part; });
  for (std::uint32_t i = 0; i < 3000; ++i) {
    blocks.packets() += noise(1000, i);
    blocks.packets_added();
  }
  blocks.flush();
  CHECK(read(bytes).largest < perfetto_limit);
}
